package dev.jitney.conformance.expiration;

import static dev.jitney.conformance.support.PartitionedRun.inOrder;
import static dev.jitney.conformance.support.Sdk.next;
import static dev.jitney.conformance.support.Sdk.none;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusMessageBatch;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.SdkTest;
import dev.jitney.model.MessageCounts;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JavaSdkExpirationTest extends SdkTest {

    private String keepingQueue() {
        return broker.queue(q -> q.deadLetteringOnMessageExpiration(true));
    }

    private void send(String queue, String id, Duration timeToLive) {
        sdk.send(queue, inOrder(id).setMessageId(id).setTimeToLive(timeToLive));
    }

    private static void assertActiveAndDead(String queue, long active, long dead) {
        MessageCounts counts = broker.counts(queue);
        assertThat(counts.active()).as("active").isEqualTo(active);
        assertThat(counts.deadLetter()).as("dead-lettered").isEqualTo(dead);
    }

    @Test
    @DisplayName("SCN-1, TTL-24: a locked message is dead-lettered when its lock ends, not when it expires")
    void lockedMessageExpiresWithItsLock() {
        String queue = keepingQueue();
        send(queue, "m", Duration.ofSeconds(30));
        broker.advance(Duration.ofSeconds(10));
        next(sdk.receiver(queue));
        broker.advance(Duration.ofSeconds(20));
        assertActiveAndDead(queue, 1, 0);
        broker.advance(Duration.ofSeconds(39));
        assertActiveAndDead(queue, 1, 0);
        broker.advance(Duration.ofSeconds(1));
        assertActiveAndDead(queue, 0, 1);

        ServiceBusReceivedMessage dead = sdk.deadLetterReceiver(queue).peekMessage();
        assertThat(dead.getDeliveryCount()).isEqualTo(1);
        assertThat(dead.getDeadLetterReason()).isEqualTo("TTLExpiredException");
        assertThat(dead.getDeadLetterErrorDescription()).isEqualTo("The message expired and was dead lettered.");
    }

    @Test
    @DisplayName(
            "Wire 4.2, MSG-7: a message without an expiry has the maximum expiry, and so has its copy, over each path")
    void messagesWithoutAnExpiry() {
        String queue = broker.queue();
        sdk.send(queue, inOrder("first"));
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        assertEndless(receiver.peekMessage());
        ServiceBusReceivedMessage received = next(receiver);
        assertEndless(received);
        receiver.defer(received);
        assertEndless(receiver.receiveDeferredMessage(received.getSequenceNumber()));
        sdk.send(queue, new ServiceBusMessage(received));
        assertEndless(next(receiver));
    }

    private static void assertEndless(ServiceBusReceivedMessage message) {
        assertThat(message.getTimeToLive()).isEqualTo(Duration.ofMillis(0xffff_ffffL));
        assertThat(message.getRawAmqpMessage()
                        .getProperties()
                        .getAbsoluteExpiryTime()
                        .toInstant())
                .isEqualTo(Instant.parse("9999-12-31T23:59:59.999Z"));
        assertThat(message.getExpiresAt().toInstant()).isAfter(broker.now().plus(Duration.ofDays(49)));
    }

    @Test
    @DisplayName("MSG-7, MSG-11: the TTL set on a copy is used, regardless of the times copied from the original")
    void timeToLiveOfACopy() {
        String queue = broker.queue();
        send(queue, "m", Duration.ofDays(40));
        ServiceBusReceivedMessage received = next(sdk.deletingReceiver(queue));
        broker.advance(Duration.ofHours(1));
        sdk.send(queue, new ServiceBusMessage(received).setTimeToLive(Duration.ofSeconds(30)));
        ServiceBusReceivedMessage copy = next(sdk.deletingReceiver(queue));
        assertThat(copy.getTimeToLive()).isEqualTo(Duration.ofSeconds(30));
        assertThat(copy.getExpiresAt().toInstant()).isEqualTo(broker.now().plusSeconds(30));
        assertThat(copy.getRawAmqpMessage()
                        .getProperties()
                        .getAbsoluteExpiryTime()
                        .toInstant())
                .isEqualTo(broker.now().plusSeconds(30));
    }

    @Test
    @DisplayName("SCN-2, TTL-4: without a receiver an expired message remains; the first receive moves it")
    void withoutAReceiverNothingExpires() {
        String queue = keepingQueue();
        send(queue, "m", Duration.ofSeconds(10));
        broker.advance(Duration.ofHours(1));
        assertActiveAndDead(queue, 1, 0);
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        assertThat(receiver.peekMessage().getMessageId()).isEqualTo("m");
        assertActiveAndDead(queue, 1, 0);

        assertThat(none(receiver)).isEmpty();
        // That receive may have ended before the broker noticed it, and then it continues.
        Await.until("the message to move", () -> broker.counts(queue).deadLetter() == 1);
        assertActiveAndDead(queue, 0, 1);
    }

    @Test
    @DisplayName("DLQ-24: a receiver of the dead-letter queue does not count as active")
    void deadLetterReceiverDoesNotSweep() {
        String queue = keepingQueue();
        send(queue, "m", Duration.ofSeconds(10));
        broker.advance(Duration.ofHours(1));
        assertThat(none(sdk.deadLetterReceiver(queue))).isEmpty();
        assertActiveAndDead(queue, 1, 0);
    }

    @Test
    @DisplayName("TTL-22: without the flag, expired messages are removed")
    void withoutTheFlagExpiredMessagesVanish() {
        String queue = broker.queue();
        send(queue, "m", Duration.ofSeconds(10));
        broker.advance(Duration.ofSeconds(10));
        assertThat(none(sdk.receiver(queue))).isEmpty();
        Await.until("the removal of the message", () -> broker.counts(queue).total() == 0);
    }

    @Test
    @DisplayName("TTL-6: a thousand expired messages are removed before the first valid one is delivered")
    void strandedMessagesAreRemovedFirst() {
        String queue = broker.queue();
        ServiceBusSenderClient sender = sdk.sender(queue);
        ServiceBusMessageBatch batch = sender.createMessageBatch();
        for (int i = 0; i < 1000; i++) {
            assertThat(batch.tryAddMessage(inOrder("x").setTimeToLive(Duration.ofSeconds(10))))
                    .isTrue();
        }
        sender.sendMessages(batch);
        broker.advance(Duration.ofSeconds(11));
        sdk.send(queue, "live");
        assertThat(broker.counts(queue).active()).isEqualTo(1001);

        ServiceBusReceivedMessage received = next(sdk.deletingReceiver(queue));
        assertThat(received.getMessageId()).isEqualTo("live");
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("TTL-7: a message can be received one millisecond before its expiry, but not at its expiry")
    void expiryIsExact() {
        String queue = broker.queue();
        send(queue, "in time", Duration.ofSeconds(10));
        broker.advance(Duration.ofMillis(9_999));
        assertThat(next(sdk.deletingReceiver(queue)).getMessageId()).isEqualTo("in time");
        send(queue, "too late", Duration.ofSeconds(10));
        broker.advance(Duration.ofSeconds(10));
        assertThat(none(sdk.receiver(queue))).isEmpty();
    }

    @Test
    @DisplayName("TTL-8, TTL-25: a locked message may be completed after its expiry")
    void lockedMessageMayBeCompletedLate() {
        String queue = keepingQueue();
        send(queue, "m", Duration.ofSeconds(10));
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage message = next(receiver);
        broker.advance(Duration.ofSeconds(50));
        receiver.complete(message);
        assertActiveAndDead(queue, 0, 0);
    }

    @Test
    @DisplayName("TTL-9: an expired message that is abandoned is not delivered again")
    void abandonedExpiredMessageIsDeadLettered() {
        String queue = keepingQueue();
        send(queue, "m", Duration.ofSeconds(10));
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage message = next(receiver);
        broker.advance(Duration.ofSeconds(10));
        receiver.abandon(message);
        assertActiveAndDead(queue, 0, 1);
    }

    @Test
    @DisplayName("STATE-7: expiry is judged before the delivery count")
    void expiryComesBeforeTheDeliveryCount() {
        String queue =
                broker.queue(q -> q.deadLetteringOnMessageExpiration(true).maxDeliveryCount(1));
        send(queue, "m", Duration.ofSeconds(30));
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage message = next(receiver);
        broker.advance(Duration.ofSeconds(31));
        receiver.abandon(message);
        assertThat(sdk.deadLetterReceiver(queue).peekMessage().getDeadLetterReason())
                .isEqualTo("TTLExpiredException");
    }

    @Test
    @DisplayName(
            "TTL-11: a time to live of a millisecond is accepted, and the message may expire without being delivered")
    void shortestTimeToLive() {
        String queue = broker.queue();
        send(queue, "m", Duration.ofMillis(1));
        broker.advance(Duration.ofMillis(1));
        assertThat(none(sdk.receiver(queue))).isEmpty();
    }

    @Test
    @DisplayName("SCN-4, TTL-13: scheduled in 5 minutes with 10 minutes to live: there at 5:00, gone at 15:00")
    void scheduledMessageLivesFromItsActivation() {
        String queue = broker.queue();
        Instant start = broker.now();
        ServiceBusMessage message = new ServiceBusMessage("m")
                .setTimeToLive(Duration.ofMinutes(10))
                .setScheduledEnqueueTime(start.plus(Duration.ofMinutes(5)).atOffset(ZoneOffset.UTC));
        sdk.send(queue, message);
        broker.advance(Duration.ofSeconds(299));
        assertThat(broker.counts(queue).active()).isZero();
        broker.advance(Duration.ofSeconds(1));
        Await.until("activation", () -> broker.counts(queue).active() == 1);
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage received = next(receiver);
        assertThat(received.getExpiresAt().toInstant()).isEqualTo(start.plus(Duration.ofMinutes(15)));
        assertThat(received.getEnqueuedTime().toInstant()).isEqualTo(start.plus(Duration.ofMinutes(5)));
        receiver.abandon(received);

        broker.advance(Duration.ofMinutes(10));
        assertThat(none(receiver)).isEmpty();
        Await.until("the removal of the message", () -> broker.counts(queue).total() == 0);
    }

    @Test
    @DisplayName("TTL-14, TTL-15: the queue's default is given to messages without one and caps longer ones")
    void defaultTimeToLiveIsAlsoTheCeiling() {
        String queue = broker.queue(q -> q.defaultMessageTimeToLiveMs(60_000));
        send(queue, "longer", Duration.ofHours(1));
        sdk.send(queue, "unset");
        send(queue, "shorter", Duration.ofSeconds(5));
        ServiceBusReceiverClient receiver = sdk.deletingReceiver(queue);
        for (Duration expected : new Duration[] {Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofSeconds(5)}) {
            ServiceBusReceivedMessage received = next(receiver);
            assertThat(received.getTimeToLive()).as(received.getMessageId()).isEqualTo(expected);
            assertThat(received.getExpiresAt().toInstant())
                    .isEqualTo(broker.now().plus(expected));
        }
    }

    @Test
    @DisplayName("TTL-16: a lowered default leaves stored messages as they are")
    void loweredDefaultLeavesStoredMessages() {
        String queue = broker.queue(q -> q.defaultMessageTimeToLiveMs(600_000));
        sdk.send(queue, "m");
        broker.update(queue, q -> q.defaultMessageTimeToLiveMs(1_000));
        broker.advance(Duration.ofMinutes(5));
        assertThat(next(sdk.deletingReceiver(queue)).getMessageId()).isEqualTo("m");
    }

    @Test
    @DisplayName("TTL-28, DLQ-6: messages in the dead-letter queue do not expire")
    void deadLetteredMessagesDoNotExpire() {
        String queue = broker.queue();
        send(queue, "m", Duration.ofSeconds(1));
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        receiver.deadLetter(next(receiver));
        broker.advance(Duration.ofDays(100));
        assertThat(next(sdk.deadLetterReceiver(queue)).getMessageId()).isEqualTo("m");
    }
}
