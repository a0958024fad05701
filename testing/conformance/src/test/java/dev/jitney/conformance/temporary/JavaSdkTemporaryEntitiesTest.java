package dev.jitney.conformance.temporary;

import static dev.jitney.conformance.support.Sdk.assertFails;
import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverAsyncClient;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.models.ServiceBusReceiveMode;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.SdkTest;
import dev.jitney.conformance.support.Subscription;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JavaSdkTemporaryEntitiesTest extends SdkTest {
    private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);

    private static String temporaryQueue() {
        return broker.queue(q -> q.autoDeleteOnIdleMs(FIVE_MINUTES.toMillis()));
    }

    private static void assertGoesIn(Duration time, String path) {
        broker.advance(time.minusMillis(1));
        assertThat(broker.has(path)).as("shortly before").isTrue();
        broker.advance(Duration.ofMillis(1));
        Await.until("the deletion of " + path, () -> !broker.has(path));
    }

    @Test
    @DisplayName(
            "IDLE-5, IDLE-7: peeking at +4m keeps a queue until +9m; then its clients get an error that it does not exist")
    void peeking() {
        String queue = temporaryQueue();
        sdk.send(queue, "m");
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusSenderClient sender = sdk.sender(queue);
        broker.advance(Duration.ofMinutes(4));
        assertThat(receiver.peekMessage().getMessageId()).isEqualTo("m");
        assertGoesIn(FIVE_MINUTES, queue);
        assertFails(
                ServiceBusFailureReason.MESSAGING_ENTITY_NOT_FOUND,
                () -> sender.sendMessage(new ServiceBusMessage("late")));
    }

    @Test
    @DisplayName("SCN-13: peek at 4:00, schedule at 8:00 for 20:00, cancel at 10:00 -> gone at 15:00")
    void scenario() {
        String queue = temporaryQueue();
        OffsetDateTime later = broker.now().plus(Duration.ofMinutes(20)).atOffset(ZoneOffset.UTC);
        ServiceBusSenderClient sender = sdk.sender(queue);
        broker.advance(Duration.ofMinutes(4));
        assertThat(sdk.receiver(queue).peekMessage()).isNull();
        broker.advance(Duration.ofMinutes(4));
        long number = sender.scheduleMessage(new ServiceBusMessage("m"), later);
        broker.advance(Duration.ofMinutes(2));
        sender.cancelScheduledMessage(number);
        assertGoesIn(FIVE_MINUTES, queue);
    }

    @Test
    @DisplayName(
            "IDLE-2: a reply queue exists while its client waits for a day, and is deleted after the client is closed")
    void replyQueue() throws Exception {
        String queue = temporaryQueue();
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        try (Sdk client = broker.sdk()) {
            ServiceBusReceiverAsyncClient receiver = client.keep(client.builder()
                    .receiver()
                    .queueName(queue)
                    .receiveMode(ServiceBusReceiveMode.RECEIVE_AND_DELETE)
                    .prefetchCount(10)
                    .buildAsyncClient());
            receiver.receiveMessages().subscribe(message -> seen.add(message.getMessageId()));
            sdk.send(queue, "reply");
            Await.until("the reply", () -> seen.contains("reply")); // the receiver has credit for more messages
            broker.advance(Duration.ofDays(1));
            assertThat(broker.has(queue)).isTrue();
        }
        Await.until("the end of the receiver", () -> broker.receivers(queue) == 0);
        assertGoesIn(FIVE_MINUTES, queue);
        assertFails(ServiceBusFailureReason.MESSAGING_ENTITY_NOT_FOUND, () -> sdk.send(queue, "late"));
    }

    @Test
    @DisplayName(
            "IDLE-8, IDLE-9: sends are an access to a topic, not to its subscription; receives are an access to both")
    void topics() {
        String topic = broker.topics().create(t -> t.autoDeleteOnIdleMs(FIVE_MINUTES.toMillis()));
        Subscription read = broker.topics().subscribe(topic, s -> s.autoDeleteOnIdleMs(FIVE_MINUTES.toMillis()));
        Subscription unread = broker.topics().subscribe(topic, s -> s.autoDeleteOnIdleMs(FIVE_MINUTES.toMillis()));
        broker.advance(Duration.ofMinutes(3));
        sdk.publish(topic, "a");
        assertGoesIn(Duration.ofMinutes(2), unread.path());
        Await.until("the deletion of the other subscription, which is idle", () -> !broker.has(read.path()));

        Subscription late = broker.topics().subscribe(topic, s -> s.autoDeleteOnIdleMs(FIVE_MINUTES.toMillis()));
        sdk.publish(topic, "b");
        broker.advance(Duration.ofMinutes(4));
        assertThat(next(sdk.deletingReceiver(late)).getMessageId()).isEqualTo("b");
        assertGoesIn(FIVE_MINUTES, late.path());
        Await.until("the deletion of the topic", () -> !broker.has(topic));
        assertFails(ServiceBusFailureReason.MESSAGING_ENTITY_NOT_FOUND, () -> sdk.publish(topic, "c"));
    }

    @Test
    @DisplayName("IDLE-13: the name of a deleted queue can be used for a new queue, which is empty")
    void recreation() {
        String queue = temporaryQueue();
        sdk.send(queue, "old");
        broker.advance(FIVE_MINUTES);
        Await.until("the deletion of the queue", () -> !broker.has(queue));
        broker.queue(queue, q -> q);
        sdk.send(queue, "new");
        assertThat(next(sdk.receiver(queue)).getMessageId()).isEqualTo("new");
    }

    @Test
    @DisplayName("IDLE-14: idle 3 min, stopped for an hour -> gone after 2 more minutes")
    void restart() {
        String queue = temporaryQueue();
        sdk.send(queue, "m");
        broker.advance(Duration.ofMinutes(3));
        broker.restart(Duration.ofHours(1));
        assertGoesIn(Duration.ofMinutes(2), queue);
    }
}
