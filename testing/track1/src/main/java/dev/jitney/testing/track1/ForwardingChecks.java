package dev.jitney.testing.track1;

import static dev.jitney.testing.track1.Check.same;

import com.microsoft.azure.servicebus.ClientFactory;
import com.microsoft.azure.servicebus.IMessage;
import com.microsoft.azure.servicebus.IMessageReceiver;
import com.microsoft.azure.servicebus.IMessageSender;
import com.microsoft.azure.servicebus.ReceiveMode;
import com.microsoft.azure.servicebus.management.EntityNameHelper;
import com.microsoft.azure.servicebus.management.ManagementClient;
import com.microsoft.azure.servicebus.management.MessageCountDetails;
import com.microsoft.azure.servicebus.management.QueueDescription;
import com.microsoft.azure.servicebus.management.SubscriptionDescription;
import com.microsoft.azure.servicebus.primitives.MessagingFactory;
import java.util.Map;

/** Checks of forwarding, and of this SDK's paths of transfer dead-letter queues, through a WebSocket. */
final class ForwardingChecks extends OverWebSocket {
    private ForwardingChecks(String connectionString) {
        super(connectionString);
    }

    static void addTo(Map<String, NamedCheck> checks, String connectionString) {
        ForwardingChecks all = new ForwardingChecks(connectionString);
        checks.put("FWD-1: a message goes from a queue over a topic's subscription to a queue", all::passedOn);
        checks.put("DLQ-33: the transfer dead-letter path of a queue and of a subscription", all::stranded);
    }

    private static void send(MessagingFactory factory, String entity, String id) throws Exception {
        IMessageSender sender = ClientFactory.createMessageSenderFromEntityPath(factory, entity);
        sender.send(message(id));
        sender.close();
    }

    /** Receives the next message of a path, which must arrive. */
    private static IMessage take(MessagingFactory factory, String path) throws Exception {
        IMessageReceiver receiver =
                ClientFactory.createMessageReceiverFromEntityPath(factory, path, ReceiveMode.PEEKLOCK);
        IMessage message = next(receiver);
        receiver.complete(message.getLockToken());
        receiver.close();
        return message;
    }

    private static void forwarding(ManagementClient client, String queue, String to) throws Exception {
        QueueDescription description = new QueueDescription(queue);
        description.setForwardTo(to);
        client.createQueue(description);
    }

    private static void subscription(ManagementClient client, String topic, String to) throws Exception {
        SubscriptionDescription description = new SubscriptionDescription(topic, "onward");
        description.setForwardTo(to);
        client.createSubscription(description);
    }

    private void passedOn(ManagementClient client) throws Exception {
        client.createQueue("t1-fwd-last");
        client.createTopic("t1-fwd-topic");
        subscription(client, "t1-fwd-topic", "t1-fwd-last");
        forwarding(client, "t1-fwd-first", "t1-fwd-topic");
        MessagingFactory factory = factory();
        send(factory, "t1-fwd-first", "m");
        same("m", take(factory, "t1-fwd-last").getMessageId(), "the id of the message");
        factory.close();
    }

    private void stranded(ManagementClient client) throws Exception {
        client.createQueue("t1-fwd-gone");
        forwarding(client, "t1-fwd-source", "t1-fwd-gone");
        client.createTopic("t1-fwd-news");
        subscription(client, "t1-fwd-news", "t1-fwd-gone");
        client.deleteQueue("t1-fwd-gone");
        MessagingFactory factory = factory();
        send(factory, "t1-fwd-source", "of the queue");
        send(factory, "t1-fwd-news", "of the topic");
        String queue = EntityNameHelper.formatTransferDeadLetterPath("t1-fwd-source");
        same("t1-fwd-source/$Transfer/$DeadLetterQueue", queue, "the path");
        IMessage message = take(factory, queue);
        same("of the queue", message.getMessageId(), "the id of the message");
        same("MessagingEntityNotFoundException", message.getProperties().get("DeadLetterReason"), "the reason");
        String subscription = EntityNameHelper.formatTransferDeadLetterPath(
                EntityNameHelper.formatSubscriptionPath("t1-fwd-news", "onward"));
        same("of the topic", take(factory, subscription).getMessageId(), "the id of the message");
        MessageCountDetails counts = client.getQueueRuntimeInfo("t1-fwd-source").getMessageCountDetails();
        same(0L, counts.getTransferDeadLetterMessageCount(), "TransferDeadLetterMessageCount");
        factory.close();
    }
}
