package dev.jitney.conformance.deadletter;

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
import dev.jitney.conformance.support.SdkTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JavaSdkDeadLetterTest extends SdkTest {

    private void deadLetter(String queue, String id) {
        sdk.send(queue, id);
        try (ServiceBusReceiverClient receiver =
                sdk.builder().receiver().queueName(queue).disableAutoComplete().buildClient()) {
            receiver.deadLetter(next(receiver));
        }
    }

    @Test
    @DisplayName("SCN-5, DLQ-36: a message that is abandoned ten times is found in the dead-letter queue")
    void poisonMessageIsDeadLettered() {
        String queue = broker.queue();
        sdk.send(queue, "poison");
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        int rounds = 0;
        while (true) {
            List<ServiceBusReceivedMessage> messages = rounds < 10 ? List.of(next(receiver)) : none(receiver);
            if (messages.isEmpty()) {
                break;
            }
            assertThat(messages.get(0).getDeliveryCount())
                    .as("failed deliveries")
                    .isEqualTo(rounds);
            receiver.abandon(messages.get(0));
            rounds++;
        }
        assertThat(rounds).isEqualTo(10);
        assertThat(broker.counts(queue).active()).isZero();

        ServiceBusReceiverClient dead = sdk.deadLetterReceiver(queue);
        ServiceBusReceivedMessage message = next(dead);
        assertThat(message.getMessageId()).isEqualTo("poison");
        assertThat(message.getDeliveryCount()).isEqualTo(10);
        assertThat(message.getDeadLetterReason()).isEqualTo("MaxDeliveryCountExceeded");
        assertThat(message.getDeadLetterErrorDescription())
                .isEqualTo("Message could not be consumed after 10 delivery attempts.");
        dead.complete(message);
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("DLQ-20: lock expiries and abandons count alike")
    void expiriesAndAbandonsCountAlike() {
        String queue = broker.queue(q -> q.maxDeliveryCount(2));
        sdk.send(queue, "m");
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        receiver.abandon(next(receiver));
        next(receiver);
        broker.advance(Duration.ofSeconds(60));
        assertThat(broker.counts(queue).active()).isZero();
        assertThat(broker.counts(queue).deadLetter()).isEqualTo(1);
        assertThat(next(sdk.deadLetterReceiver(queue)).getDeadLetterErrorDescription())
                .isEqualTo("Message could not be consumed after 2 delivery attempts.");
    }

    @Test
    @DisplayName("DLQ-21: a very large limit never dead-letters")
    void veryLargeLimit() {
        String queue = broker.queue(q -> q.maxDeliveryCount(Integer.MAX_VALUE));
        sdk.send(queue, "m");
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        for (int i = 0; i < 50; i++) {
            receiver.abandon(next(receiver));
        }
        assertThat(broker.counts(queue).active()).isEqualTo(1);
    }

    @Test
    @DisplayName("DLQ-22: a lowered limit moves a message at its next failure")
    void loweredLimit() {
        String queue = broker.queue();
        sdk.send(queue, "m");
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        for (int i = 0; i < 5; i++) {
            receiver.abandon(next(receiver));
        }
        broker.update(queue, q -> q.maxDeliveryCount(2));
        assertThat(broker.counts(queue).active()).isEqualTo(1);
        receiver.abandon(next(receiver));
        assertThat(broker.counts(queue).deadLetter()).isEqualTo(1);
    }

    @Test
    @DisplayName("DLQ-12, DLQ-13: an application's reason, description and properties arrive in the dead-letter queue")
    void applicationReason() {
        String queue = broker.queue();
        ServiceBusMessage sent =
                new ServiceBusMessage("bad").setMessageId("bad").setSubject("kept");
        sent.getApplicationProperties().put("shop", 7);
        sdk.send(queue, sent);
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage message = next(receiver);
        receiver.deadLetter(
                message,
                new DeadLetterOptions()
                        .setDeadLetterReason("malformed")
                        .setDeadLetterErrorDescription("no order number")
                        .setPropertiesToModify(Map.of("checkedBy", "test")));

        ServiceBusReceivedMessage dead = next(sdk.deadLetterReceiver(queue));
        assertThat(dead.getDeadLetterReason()).isEqualTo("malformed");
        assertThat(dead.getDeadLetterErrorDescription()).isEqualTo("no order number");
        assertThat(dead.getApplicationProperties())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "shop", 7,
                        "checkedBy", "test",
                        "DeadLetterReason", "malformed",
                        "DeadLetterErrorDescription", "no order number"));
        assertThat(dead.getSubject()).isEqualTo("kept");
        assertThat(dead.getBody().toString()).isEqualTo("bad");
        assertThat(dead.getSequenceNumber()).as("STATE-10").isEqualTo(message.getSequenceNumber());
        assertThat(dead.getEnqueuedTime()).as("STATE-10").isEqualTo(message.getEnqueuedTime());
        assertThat(dead.getDeadLetterSource()).as("DLQ-38").isNull();
    }

    @Test
    @DisplayName("DLQ-13: a reason and a description of 5,000 characters arrive as their first 4,096")
    void longReason() {
        String queue = broker.queue();
        sdk.send(queue, "m");
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        receiver.deadLetter(
                next(receiver),
                new DeadLetterOptions()
                        .setDeadLetterReason("r".repeat(5_000))
                        .setDeadLetterErrorDescription("d".repeat(5_000)));
        ServiceBusReceivedMessage dead = next(sdk.deadLetterReceiver(queue));
        assertThat(dead.getDeadLetterReason()).isEqualTo("r".repeat(4_096));
        assertThat(dead.getDeadLetterErrorDescription()).isEqualTo("d".repeat(4_096));
    }

    @Test
    @DisplayName("DLQ-13: dead-lettering without values adds none")
    void withoutValues() {
        String queue = broker.queue();
        deadLetter(queue, "m");
        assertThat(next(sdk.deadLetterReceiver(queue)).getApplicationProperties())
                .isEmpty();
    }

    @Test
    @DisplayName("DLQ-8, DLQ-39: the dead-letter queue locks like its parent, and its messages keep their counts")
    void deadLetterQueueLocks() {
        String queue = broker.queue(q -> q.maxDeliveryCount(1).lockDurationMs(30_000));
        deadLetter(queue, "m");
        ServiceBusReceiverClient dead = sdk.deadLetterReceiver(queue);
        ServiceBusReceivedMessage message = next(dead);
        assertThat(message.getLockedUntil().toInstant()).isEqualTo(broker.now().plusSeconds(30));
        broker.advance(Duration.ofSeconds(30));
        assertFails(ServiceBusFailureReason.MESSAGE_LOCK_LOST, () -> dead.complete(message));
        for (int i = 1; i <= 20; i++) {
            ServiceBusReceivedMessage again = next(dead);
            assertThat(again.getDeliveryCount()).isEqualTo(message.getDeliveryCount());
            dead.abandon(again);
        }
        assertThat(broker.counts(queue).deadLetter()).isEqualTo(1);
    }

    @Test
    @DisplayName("DLQ-5: the dead-letter queue refuses sends")
    void deadLetterQueueRefusesSends() {
        String queue = broker.queue();
        assertThatThrownBy(() -> sdk.send(queue + "/$DeadLetterQueue", "m")).isNotNull();
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("DLQ-5, DLQ-9, DEFER-9: peek, renew, defer and batches work in the dead-letter queue")
    void deadLetterQueueActsLikeAQueue() {
        String queue = broker.queue();
        for (int i = 0; i < 5; i++) {
            deadLetter(queue, "m" + i);
        }
        ServiceBusReceiverClient dead = sdk.deadLetterReceiver(queue);
        assertThat(dead.peekMessages(10))
                .extracting(ServiceBusReceivedMessage::getMessageId)
                .containsExactly("m0", "m1", "m2", "m3", "m4");
        List<ServiceBusReceivedMessage> batch =
                Stream.generate(() -> next(dead)).limit(5).toList();
        assertThat(dead.renewMessageLock(batch.get(0)).toInstant())
                .isEqualTo(broker.now().plusSeconds(60));
        dead.defer(batch.get(1));
        for (int i : new int[] {0, 2, 3, 4}) {
            dead.complete(batch.get(i));
        }
        assertThat(broker.counts(queue).deadLetter()).isEqualTo(1);
        ServiceBusReceivedMessage deferred =
                dead.receiveDeferredMessage(batch.get(1).getSequenceNumber());
        assertThat(deferred.getMessageId()).isEqualTo("m1");
        dead.complete(deferred);
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("DLQ-27: dead-lettering needs a lock that holds")
    void deadLetteringNeedsALock() {
        String queue = broker.queue();
        sdk.send(queue, "m");
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage message = next(receiver);
        broker.advance(Duration.ofSeconds(60));
        ServiceBusReceiverClient other = sdk.receiver(queue); // over management, where the SDK reports the failure
        assertFails(ServiceBusFailureReason.MESSAGE_LOCK_LOST, () -> other.deadLetter(message));
        assertThat(broker.counts(queue).deadLetter()).isZero();
    }

    @Test
    @DisplayName("DLQ-4: an operator reads a dead-lettered message, corrects it and sends it again")
    void operatorResubmits() {
        String queue = broker.queue();
        deadLetter(queue, "broken");
        ServiceBusReceiverClient dead = sdk.deadLetterReceiver(queue);
        ServiceBusReceivedMessage message = next(dead);
        sdk.send(queue, new ServiceBusMessage(message).setSubject("corrected"));
        dead.complete(message);

        ServiceBusReceivedMessage again = next(sdk.deletingReceiver(queue));
        assertThat(again.getSubject()).isEqualTo("corrected");
        assertThat(again.getDeliveryCount()).isZero();
        assertThat(again.getSequenceNumber()).isGreaterThan(message.getSequenceNumber());
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("STATE-2: dead-letter messages survive a restart, with their reasons")
    void survivesRestart() {
        String queue = broker.queue(q -> q.maxDeliveryCount(1));
        sdk.send(queue, "m");
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        receiver.abandon(next(receiver));
        broker.restart();
        assertThat(broker.counts(queue).deadLetter()).isEqualTo(1);
        assertThat(next(sdk.deadLetterReceiver(queue)).getDeadLetterReason()).isEqualTo("MaxDeliveryCountExceeded");
    }
}
