package dev.jitney.testing.track1;

import static dev.jitney.testing.track1.Check.same;
import static dev.jitney.testing.track1.Check.that;

import com.microsoft.azure.servicebus.ClientFactory;
import com.microsoft.azure.servicebus.IMessage;
import com.microsoft.azure.servicebus.IMessageReceiver;
import com.microsoft.azure.servicebus.IMessageSender;
import com.microsoft.azure.servicebus.ReceiveMode;
import com.microsoft.azure.servicebus.TransactionContext;
import com.microsoft.azure.servicebus.management.ManagementClient;
import com.microsoft.azure.servicebus.primitives.MessagingFactory;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Checks of transactions on one queue and via it to another one, through a WebSocket. */
final class TransactionChecks extends OverWebSocket {
    private TransactionChecks(String connectionString) {
        super(connectionString);
    }

    static void addTo(Map<String, NamedCheck> checks, String connectionString) {
        TransactionChecks all = new TransactionChecks(connectionString);
        checks.put("TX-1: send, batch, schedule and complete in one transaction", all::oneQueue);
        checks.put("TX-14: a rollback has no effect", all::rollback);
        checks.put("TX-14, wire 5.5: a delivery is completed after a rollback", all::settleAgain);
        checks.put("SCHED-5, TX-4: a message scheduled via an entity goes to its destination", all::scheduleVia);
        checks.put("TX-4: a completion and a send via the same entity", all::sendVia);
    }

    private static long active(ManagementClient client, String queue) throws Exception {
        return client.getQueueRuntimeInfo(queue).getMessageCountDetails().getActiveMessageCount();
    }

    private void oneQueue(ManagementClient client) throws Exception {
        client.createQueue("t1-tx");
        MessagingFactory factory = factory();
        IMessageSender sender = ClientFactory.createMessageSenderFromEntityPath(factory, "t1-tx");
        IMessageReceiver receiver =
                ClientFactory.createMessageReceiverFromEntityPath(factory, "t1-tx", ReceiveMode.PEEKLOCK);
        sender.send(message("work"));
        IMessage work = next(receiver);
        TransactionContext transaction = factory.startTransaction();
        sender.send(message("a"), transaction);
        sender.sendBatch(List.of(message("b"), message("c")), transaction);
        long number = sender.scheduleMessage(message("later"), Instant.now().plusSeconds(600), transaction);
        receiver.complete(work.getLockToken(), transaction);
        same(1L, active(client, "t1-tx"), "the number of active messages before the commit");
        factory.endTransaction(transaction, true);
        same(3L, active(client, "t1-tx"), "the number of active messages after the commit");
        sender.cancelScheduledMessage(number);
        factory.close();
    }

    private void rollback(ManagementClient client) throws Exception {
        client.createQueue("t1-tx-rollback");
        MessagingFactory factory = factory();
        IMessageSender sender = ClientFactory.createMessageSenderFromEntityPath(factory, "t1-tx-rollback");
        TransactionContext transaction = factory.startTransaction();
        sender.send(message("never"), transaction);
        factory.endTransaction(transaction, false);
        same(0L, active(client, "t1-tx-rollback"), "the number of active messages");
        factory.close();
    }

    private void settleAgain(ManagementClient client) throws Exception {
        client.createQueue("t1-tx-again");
        MessagingFactory factory = factory();
        ClientFactory.createMessageSenderFromEntityPath(factory, "t1-tx-again").send(message("work"));
        IMessageReceiver receiver =
                ClientFactory.createMessageReceiverFromEntityPath(factory, "t1-tx-again", ReceiveMode.PEEKLOCK);
        IMessage work = next(receiver);
        TransactionContext first = factory.startTransaction();
        receiver.complete(work.getLockToken(), first);
        factory.endTransaction(first, false);
        same(1L, active(client, "t1-tx-again"), "the number of active messages after the rollback");
        TransactionContext second = factory.startTransaction();
        receiver.complete(work.getLockToken(), second);
        factory.endTransaction(second, false);
        receiver.complete(work.getLockToken());
        same(0L, active(client, "t1-tx-again"), "the number of active messages after the completion");
        factory.close();
    }

    private void scheduleVia(ManagementClient client) throws Exception {
        client.createQueue("t1-schedule-via");
        client.createQueue("t1-schedule-destination");
        MessagingFactory factory = factory();
        IMessageSender sender = ClientFactory.createTransferMessageSenderFromEntityPath(
                factory, "t1-schedule-destination", "t1-schedule-via");
        long number = sender.scheduleMessage(message("later"), Instant.now().plusSeconds(600));
        that(number > 0, "a sequence number");
        same(0L, scheduled(client, "t1-schedule-via"), "the number of scheduled messages in the via entity");
        same(1L, scheduled(client, "t1-schedule-destination"), "the number of scheduled messages in the destination");
        factory.close();
    }

    private static long scheduled(ManagementClient client, String queue) throws Exception {
        return client.getQueueRuntimeInfo(queue).getMessageCountDetails().getScheduledMessageCount();
    }

    private void sendVia(ManagementClient client) throws Exception {
        client.createQueue("t1-via");
        client.createQueue("t1-destination");
        MessagingFactory factory = factory();
        ClientFactory.createMessageSenderFromEntityPath(factory, "t1-via").send(message("work"));
        IMessageReceiver receiver =
                ClientFactory.createMessageReceiverFromEntityPath(factory, "t1-via", ReceiveMode.PEEKLOCK);
        IMessageSender sender =
                ClientFactory.createTransferMessageSenderFromEntityPath(factory, "t1-destination", "t1-via");
        IMessage work = next(receiver);
        TransactionContext transaction = factory.startTransaction();
        sender.send(message("done"), transaction);
        receiver.complete(work.getLockToken(), transaction);
        same(0L, active(client, "t1-destination"), "the number of messages in the destination before the commit");
        factory.endTransaction(transaction, true);
        same(0L, active(client, "t1-via"), "the number of messages in the via entity");
        next(ClientFactory.createMessageReceiverFromEntityPath( // waits for it: it may come from another store
                factory, "t1-destination", ReceiveMode.RECEIVEANDDELETE));
        same(0L, active(client, "t1-destination"), "the number of messages left in the destination");
        factory.close();
    }
}
