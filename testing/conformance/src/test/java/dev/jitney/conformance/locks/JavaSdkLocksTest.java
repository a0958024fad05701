package dev.jitney.conformance.locks;

import static dev.jitney.conformance.support.Sdk.assertFails;
import static dev.jitney.conformance.support.Sdk.next;
import static dev.jitney.conformance.support.Sdk.none;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.SdkTest;
import dev.jitney.model.EntityStatus;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JavaSdkLocksTest extends SdkTest {

    private static final Duration LOCK = Duration.ofSeconds(60);

    @Test
    @DisplayName("LOCK-3: a locked message is invisible to receivers and visible to peek")
    void lockedMessageIsInvisible() {
        String queue = broker.queue();
        sdk.send(queue, "m");
        next(sdk.receiver(queue));
        ServiceBusReceiverClient other = sdk.receiver(queue);
        assertThat(other.peekMessage().getMessageId()).isEqualTo("m");
        assertThat(none(other)).isEmpty();
        assertThat(broker.counts(queue).locked()).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "LOCK-7: at LockedUntil the message is available again with a higher count, and the old token is invalid")
    void lockExpires() {
        String queue = broker.queue();
        sdk.send(queue, "m");
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage message = next(receiver);

        broker.advance(LOCK.minusMillis(1));
        assertThat(broker.counts(queue).locked()).isEqualTo(1);
        broker.advance(Duration.ofMillis(1));
        assertThat(broker.counts(queue).locked()).isZero();

        assertFails(ServiceBusFailureReason.MESSAGE_LOCK_LOST, () -> receiver.complete(message));
        ServiceBusReceivedMessage again = next(sdk.receiver(queue));
        assertThat(again.getDeliveryCount()).isEqualTo(1);
        assertThat(again.getLockToken()).isNotEqualTo(message.getLockToken());
    }

    @Test
    @DisplayName("LOCK-7: a waiting receiver gets the message when the lock of another receiver ends")
    void expiredLockServesAWaitingReceiver() throws Exception {
        String queue = broker.queue();
        sdk.send(queue, "m");
        next(sdk.receiver(queue));
        ServiceBusReceiverClient waiting = sdk.receiver(queue);
        Thread thread = new Thread(() -> waiting.complete(next(waiting)));
        thread.start();
        broker.advance(LOCK);
        thread.join(60_000);
        Await.until("the completion of the message", () -> broker.counts(queue).total() == 0);
    }

    @Test
    @DisplayName("LOCK-5: a renewal gives a full lock duration from now, any number of times")
    void renewalExtendsTheLock() {
        String queue = broker.queue();
        sdk.send(queue, "m");
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage message = next(receiver);
        for (int i = 0; i < 20; i++) {
            broker.advance(Duration.ofSeconds(50));
            assertThat(receiver.renewMessageLock(message).toInstant())
                    .isEqualTo(broker.now().plus(LOCK));
        }
        receiver.complete(message);
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("LOCK-5: an expired lock cannot be renewed")
    void expiredLockCannotBeRenewed() {
        String queue = broker.queue();
        sdk.send(queue, "m");
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage message = next(receiver);
        broker.advance(LOCK);
        assertFails(ServiceBusFailureReason.MESSAGE_LOCK_LOST, () -> receiver.renewMessageLock(message));
    }

    @Test
    @DisplayName("LOCK-5: a valid lock may be renewed beyond the message's expiry")
    void renewalBeyondExpiry() {
        String queue = broker.queue();
        sdk.send(queue, new ServiceBusMessage("m").setTimeToLive(Duration.ofSeconds(10)));
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage message = next(receiver);
        broker.advance(Duration.ofSeconds(50));
        receiver.renewMessageLock(message);
        broker.advance(Duration.ofSeconds(50));
        receiver.complete(message);
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("LOCK-8: a changed lock duration does not affect existing locks")
    void changedLockDuration() {
        String queue = broker.queue();
        sdk.send(queue, "m");
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage message = next(receiver);
        broker.update(queue, q -> q.lockDurationMs(5_000));
        broker.advance(Duration.ofSeconds(30));
        assertThat(broker.counts(queue).locked()).isEqualTo(1);
        assertThat(receiver.renewMessageLock(message).toInstant())
                .isEqualTo(broker.now().plusSeconds(5));
    }

    @Test
    @DisplayName("LOCK-9, LOCK-11: a lock outlives its link, and its token settles from another connection")
    void tokenSettlesFromAnotherConnection() throws Exception {
        String queue = broker.queue();
        sdk.send(queue, "m");
        ServiceBusReceivedMessage message;
        try (Sdk first = broker.sdk()) {
            message = next(first.receiver(queue));
        }
        ServiceBusReceiverClient other = sdk.receiver(queue);
        assertThat(broker.counts(queue).locked()).isEqualTo(1);
        assertThat(other.renewMessageLock(message).toInstant())
                .isEqualTo(broker.now().plus(LOCK));
        other.complete(message);
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("LOCK-9: without a settlement, the lock of a lost connection ends and counts as a delivery")
    void lockOfALostConnectionRunsOut() throws Exception {
        String queue = broker.queue();
        sdk.send(queue, "m");
        try (Sdk first = broker.sdk()) {
            next(first.receiver(queue));
        }
        broker.advance(LOCK);
        assertThat(next(sdk.receiver(queue)).getDeliveryCount()).isEqualTo(1);
    }

    @Test
    @DisplayName("RECV-9: every kind of settlement works over the management node")
    void everySettlementWorksOverManagement() throws Exception {
        String queue = broker.queue();
        for (String id : new String[] {"abandon", "defer", "dead-letter"}) {
            sdk.send(queue, new ServiceBusMessage(id).setMessageId(id).setPartitionKey("one"));
        }
        ServiceBusReceivedMessage abandon;
        ServiceBusReceivedMessage defer;
        ServiceBusReceivedMessage deadLetter;
        try (Sdk first = broker.sdk()) {
            ServiceBusReceiverClient receiver = first.receiver(queue);
            abandon = next(receiver);
            defer = next(receiver);
            deadLetter = next(receiver);
        }
        ServiceBusReceiverClient other = sdk.receiver(queue);
        other.abandon(abandon);
        other.defer(defer);
        other.deadLetter(
                deadLetter, new DeadLetterOptions().setDeadLetterReason("r").setDeadLetterErrorDescription("d"));

        assertThat(next(other).getMessageId()).isEqualTo("abandon");
        assertThat(other.receiveDeferredMessage(defer.getSequenceNumber()).getMessageId())
                .isEqualTo("defer");
        ServiceBusReceivedMessage dead = next(sdk.deadLetterReceiver(queue));
        assertThat(dead.getMessageId()).isEqualTo("dead-letter");
        assertThat(dead.getDeadLetterReason()).isEqualTo("r");
        assertThat(dead.getDeadLetterErrorDescription()).isEqualTo("d");
    }

    @Test
    @DisplayName("LOCK-6: a peeked message cannot be settled or renewed")
    void peekedMessageCannotBeSettled() {
        String queue = broker.queue();
        sdk.send(queue, "m");
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage peeked = receiver.peekMessage();
        assertThatThrownBy(() -> receiver.complete(peeked)).isNotNull();
        assertThatThrownBy(() -> receiver.renewMessageLock(peeked)).isNotNull();
        assertThat(broker.counts(queue).active()).isEqualTo(1);
    }

    @Test
    @DisplayName("LOCK-15: disabling keeps locks and lets them be settled")
    void disableKeepsLocks() {
        String queue = broker.queue();
        sdk.send(queue, "m");
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage message = next(receiver);
        broker.status(queue, EntityStatus.DISABLED);
        sdk.receiver(queue).complete(message); // over management: its own link may be detached at any time
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName(
            "PREF-1, PREF-2: prefetch locks the requested number of messages, and locks that end in the buffer count")
    void prefetchLocks() {
        String queue = broker.queue();
        sdk.sender(queue)
                .sendMessages(IntStream.range(0, 25)
                        .mapToObj(i -> new ServiceBusMessage("m" + i).setMessageId("m" + i))
                        .toList());
        ServiceBusReceiverClient receiver = sdk.receiver(queue, b -> b.prefetchCount(20));
        ServiceBusReceivedMessage first = next(receiver);
        assertThat(first.getMessageId()).isEqualTo("m0");
        Await.until("20 locks", () -> broker.counts(queue).locked() >= 20);
        assertThat(broker.counts(queue).locked()).isBetween(20L, 21L);

        broker.advance(LOCK);
        assertFails(ServiceBusFailureReason.MESSAGE_LOCK_LOST, () -> receiver.complete(first));
        assertThat(receiver.peekMessage(1).getDeliveryCount()).isEqualTo(1);
    }
}
