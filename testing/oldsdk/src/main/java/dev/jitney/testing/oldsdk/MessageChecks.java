package dev.jitney.testing.oldsdk;

import static dev.jitney.testing.oldsdk.OldSdk.assertNone;
import static dev.jitney.testing.oldsdk.OldSdk.fails;
import static dev.jitney.testing.oldsdk.OldSdk.next;
import static dev.jitney.testing.oldsdk.OldSdk.same;
import static dev.jitney.testing.oldsdk.OldSdk.texts;
import static dev.jitney.testing.oldsdk.OldSdk.that;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusMessageBatch;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

/** Checks of messages in queues and subscriptions. */
final class MessageChecks {

    private MessageChecks() {}

    static void addTo(Map<String, OldSdkChecks.NamedCheck> checks) {
        checks.put("PEEK-1, Wire 22: peek is the first operation of a connection", MessageChecks::peekFirst);
        checks.put("MSG-4, MSG-6: properties arrive unchanged", MessageChecks::properties);
        checks.put("MSG-8, RECV-2: a batch is stored in order, receive-and-delete removes", MessageChecks::batch);
        checks.put("RECV-1, STATE-6: peek-lock, abandon, complete", MessageChecks::settles);
        checks.put("LOCK-5: a lock is renewed", MessageChecks::renews);
        checks.put("DEFER-1 to 3: a deferred message is received by number", MessageChecks::defers);
        checks.put("DLQ-13: a dead-letter message has its reason", MessageChecks::deadLetters);
        checks.put("SCHED-1, SCHED-4: a message is scheduled, another one is canceled", MessageChecks::schedules);
        checks.put("TX-1, TX-14: a transaction sends and completes atomically", MessageChecks::transactions);
        checks.put("RULE-1: a subscription gets the messages of its topic", MessageChecks::topics);
    }

    /** This SDK attaches $management before it has put a token. */
    private static void peekFirst(OldSdk sdk) {
        String queue = sdk.queue();
        sdk.send(queue, "1", "2");
        same(List.of("1", "2"), texts(sdk.reconnected().receiver(queue).peekMessages(5)), "the peeked messages");
    }

    private static void properties(OldSdk sdk) {
        String queue = sdk.queue();
        ServiceBusMessage sent = new ServiceBusMessage("body")
                .setMessageId("id-1")
                .setCorrelationId("c-1")
                .setSubject("invoice")
                .setTimeToLive(Duration.ofHours(1));
        sent.getApplicationProperties().put("number", 7);
        sdk.sender(queue).sendMessage(sent);
        ServiceBusReceivedMessage message = next(sdk.deletingReceiver(queue));
        same("id-1", message.getMessageId(), "MessageId");
        same("c-1", message.getCorrelationId(), "CorrelationId");
        same("invoice", message.getSubject(), "Subject");
        same(Duration.ofHours(1), message.getTimeToLive(), "TimeToLive");
        same(7, message.getApplicationProperties().get("number"), "the property");
        same(message.getEnqueuedTime().plusHours(1), message.getExpiresAt(), "ExpiresAt");
    }

    private static void batch(OldSdk sdk) {
        String queue = sdk.queue();
        ServiceBusSenderClient sender = sdk.sender(queue);
        ServiceBusMessageBatch batch = sender.createMessageBatch();
        List.of("1", "2", "3").forEach(text -> batch.tryAddMessage(new ServiceBusMessage(text)));
        sender.sendMessages(batch);
        ServiceBusReceiverClient receiver = sdk.deletingReceiver(queue);
        for (String text : List.of("1", "2", "3")) {
            same(text, next(receiver).getBody().toString(), "the body");
        }
        assertNone(receiver);
    }

    private static void settles(OldSdk sdk) {
        String queue = sdk.queue();
        sdk.send(queue, "m");
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        receiver.abandon(next(receiver));
        ServiceBusReceivedMessage again = next(receiver);
        same(1L, again.getDeliveryCount(), "DeliveryCount");
        receiver.complete(again);
        assertNone(receiver);
    }

    private static void renews(OldSdk sdk) {
        String queue = sdk.queue();
        sdk.send(queue, "m");
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage message = next(receiver);
        OffsetDateTime before = message.getLockedUntil();
        that(!receiver.renewMessageLock(message).isBefore(before), "a lock that ends after " + before);
        receiver.complete(message);
    }

    private static void defers(OldSdk sdk) {
        String queue = sdk.queue();
        sdk.send(queue, "m");
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage message = next(receiver);
        receiver.defer(message);
        assertNone(receiver);
        receiver.complete(receiver.receiveDeferredMessage(message.getSequenceNumber()));
        fails("", () -> receiver.receiveDeferredMessage(message.getSequenceNumber()));
    }

    private static void deadLetters(OldSdk sdk) {
        String queue = sdk.queue();
        sdk.send(queue, "m");
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        receiver.deadLetter(
                next(receiver),
                new DeadLetterOptions().setDeadLetterReason("Invalid").setDeadLetterErrorDescription("No price."));
        ServiceBusReceivedMessage message = next(sdk.deadLetterReceiver(queue));
        same("Invalid", message.getDeadLetterReason(), "the reason");
        same("No price.", message.getDeadLetterErrorDescription(), "the description");
    }

    private static void schedules(OldSdk sdk) {
        String queue = sdk.queue();
        ServiceBusSenderClient sender = sdk.sender(queue);
        long cancelled = sender.scheduleMessage(
                new ServiceBusMessage("cancelled"), OffsetDateTime.now().plusSeconds(2));
        sender.scheduleMessage(new ServiceBusMessage("m"), OffsetDateTime.now().plusSeconds(2));
        sender.cancelScheduledMessage(cancelled);
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage message = next(receiver);
        same("m", message.getBody().toString(), "the body");
        receiver.complete(message);
        assertNone(receiver);
    }

    private static void transactions(OldSdk sdk) {
        String queue = sdk.queue();
        ServiceBusSenderClient sender = sdk.sender(queue);
        var rolledBack = sender.createTransaction();
        sender.sendMessage(new ServiceBusMessage("lost"), rolledBack);
        sender.rollbackTransaction(rolledBack);
        var committed = sender.createTransaction();
        sender.sendMessage(new ServiceBusMessage("m"), committed);
        sender.commitTransaction(committed);
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage message = next(receiver);
        same("m", message.getBody().toString(), "the body");
        receiver.complete(message);
        assertNone(receiver);
    }

    private static void topics(OldSdk sdk) {
        String topic = sdk.admin().createTopic(OldSdk.name()).getName();
        sdk.admin().createSubscription(topic, "s");
        sdk.topicSender(topic).sendMessage(new ServiceBusMessage("m"));
        ServiceBusReceiverClient receiver = sdk.receiver(topic, "s");
        ServiceBusReceivedMessage message = next(receiver);
        same("m", message.getBody().toString(), "the body");
        receiver.complete(message);
    }
}
