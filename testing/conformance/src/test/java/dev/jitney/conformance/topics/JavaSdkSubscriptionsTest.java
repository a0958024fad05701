package dev.jitney.conformance.topics;

import static dev.jitney.conformance.support.PartitionedRun.inOrder;
import static dev.jitney.conformance.support.PartitionedRun.numberBeside;
import static dev.jitney.conformance.support.Sdk.assertFails;
import static dev.jitney.conformance.support.Sdk.next;
import static dev.jitney.conformance.support.Sdk.none;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusProcessorClient;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.models.AbandonOptions;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import com.azure.messaging.servicebus.models.ServiceBusMessageState;
import com.azure.messaging.servicebus.models.SubQueue;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.SdkTest;
import dev.jitney.conformance.support.Subscription;
import dev.jitney.conformance.support.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests that a subscription supports all operations of a queue, while another subscription does not change. */
class JavaSdkSubscriptionsTest extends SdkTest {
    private Topics topics;
    private String topic;
    private Subscription subscription;
    private Subscription bystander;

    @BeforeEach
    void createTopic() {
        topics = broker.topics();
        topic = topics.create();
        subscription = topics.subscribe(topic);
        bystander = topics.subscribe(topic);
    }

    /** Checks that the other subscription still has the complete bodies. */
    private void assertBystander(String... ids) {
        ServiceBusReceiverClient receiver = sdk.deletingReceiver(bystander);
        for (String id : ids) {
            ServiceBusReceivedMessage message = next(receiver);
            assertThat(message.getMessageId()).isEqualTo(id);
            assertThat(message.getBody().toString()).isEqualTo(id);
            assertThat(message.getDeliveryCount()).isZero();
            assertThat(message.getApplicationProperties()).isEmpty();
        }
        assertThat(broker.counts(bystander.path()).total()).isZero();
    }

    @Test
    @DisplayName("RECV-6, RECV-7, LOCK-12: abandon releases the message with changed properties, complete removes it")
    void abandonAndComplete() {
        sdk.publish(topic, "m");
        ServiceBusReceiverClient receiver = sdk.receiver(subscription);
        receiver.abandon(next(receiver), new AbandonOptions().setPropertiesToModify(Map.of("a", 1)));
        ServiceBusReceivedMessage again = next(receiver);
        assertThat(again.getDeliveryCount()).isEqualTo(1);
        assertThat(again.getApplicationProperties()).isEqualTo(Map.of("a", 1));
        assertThat(again.getBody().toString()).isEqualTo("m");
        receiver.complete(again);
        assertThat(broker.counts(subscription.path()).total()).isZero();
        assertBystander("m");
    }

    @Test
    @DisplayName(
            "DLQ-1, DLQ-12, DLQ-13, DLQ-34: dead-letter with reason, read and complete it in the dead-letter queue")
    void deadLetters() {
        sdk.publish(topic, "bad");
        ServiceBusReceiverClient receiver = sdk.receiver(subscription);
        receiver.deadLetter(
                next(receiver),
                new DeadLetterOptions()
                        .setDeadLetterReason("why")
                        .setDeadLetterErrorDescription("more")
                        .setPropertiesToModify(Map.of("by", "test")));
        assertThat(broker.counts(subscription.path()).deadLetter()).isEqualTo(1);
        ServiceBusReceiverClient dead = sdk.deadLetterReceiver(subscription);
        ServiceBusReceivedMessage message = next(dead);
        assertThat(message.getMessageId()).isEqualTo("bad");
        assertThat(message.getBody().toString()).isEqualTo("bad");
        assertThat(message.getDeadLetterReason()).isEqualTo("why");
        assertThat(message.getDeadLetterErrorDescription()).isEqualTo("more");
        assertThat(message.getApplicationProperties()).containsEntry("by", "test");
        assertThat(message.getDeadLetterSource()).as("DLQ-38").isNull();
        dead.abandon(message); // DLQ-8
        dead.complete(next(dead));
        assertThat(broker.counts(subscription.path()).total()).isZero();
        assertThat(none(sdk.receiver(subscription, b -> b.subQueue(SubQueue.TRANSFER_DEAD_LETTER_QUEUE))))
                .isEmpty();
        assertBystander("bad");
    }

    @Test
    @DisplayName("DLQ-20, DLQ-22: after MaxDeliveryCount failures the copy is in the dead-letter queue")
    void maxDeliveryCount() {
        Subscription strict = topics.subscribe(topic, s -> s.maxDeliveryCount(2));
        sdk.publish(topic, "poison");
        ServiceBusReceiverClient receiver = sdk.receiver(strict);
        receiver.abandon(next(receiver));
        next(receiver);
        broker.advance(Duration.ofSeconds(60));
        assertThat(broker.counts(strict.path()).active()).isZero();
        ServiceBusReceivedMessage dead = next(sdk.deadLetterReceiver(strict));
        assertThat(dead.getDeadLetterReason()).isEqualTo("MaxDeliveryCountExceeded");
        assertThat(dead.getDeadLetterErrorDescription())
                .isEqualTo("Message could not be consumed after 2 delivery attempts.");
        assertBystander("poison");
    }

    @Test
    @DisplayName("DEFER-1 to DEFER-5: a deferred copy is received by its number in this subscription")
    void defers() {
        sdk.publish(topic, "m");
        ServiceBusReceiverClient receiver = sdk.receiver(subscription);
        ServiceBusReceivedMessage message = next(receiver);
        receiver.defer(message);
        assertThat(none(receiver)).isEmpty();
        assertThat(receiver.peekMessage().getState()).isEqualTo(ServiceBusMessageState.DEFERRED);
        assertThat(sdk.receiver(bystander).receiveDeferredMessageBatch(List.of(message.getSequenceNumber())))
                .as("messages in the other subscription")
                .isEmpty();
        ServiceBusReceivedMessage deferred = receiver.receiveDeferredMessage(message.getSequenceNumber());
        assertThat(deferred.getBody().toString()).isEqualTo("m");
        receiver.complete(deferred);
        assertThat(broker.counts(subscription.path()).total()).isZero();
        assertBystander("m");
    }

    @Test
    @DisplayName("PEEK-1 to PEEK-3: peek shows active and locked copies in order, and changes nothing")
    void peeks() {
        sdk.publish(topic, "1");
        sdk.publish(topic, "2");
        sdk.publish(topic, "3");
        ServiceBusReceiverClient receiver = sdk.receiver(subscription);
        ServiceBusReceivedMessage first = next(receiver);
        ServiceBusReceiverClient peeker = sdk.receiver(subscription);
        assertThat(peeker.peekMessages(2))
                .extracting(ServiceBusReceivedMessage::getMessageId)
                .containsExactly("1", "2");
        assertThat(peeker.peekMessages(2))
                .extracting(ServiceBusReceivedMessage::getMessageId)
                .containsExactly("3");
        assertThat(peeker.peekMessage(numberBeside(first.getSequenceNumber(), 2)))
                .isNotNull();
        assertThat(peeker.peekMessage()).isNull();
        assertThat(broker.counts(subscription.path()).active()).isEqualTo(3);
        assertBystander("1", "2", "3");
    }

    @Test
    @DisplayName(
            "LOCK-1, LOCK-5, LOCK-7: locks last the subscription's LockDuration, are renewed, and are lost at its end")
    void locks() {
        Subscription quick = topics.subscribe(topic, s -> s.lockDurationMs(5_000));
        sdk.publish(topic, "m");
        ServiceBusReceiverClient receiver = sdk.receiver(quick);
        ServiceBusReceivedMessage message = next(receiver);
        assertThat(message.getLockedUntil().toInstant()).isEqualTo(broker.now().plusSeconds(5));
        broker.advance(Duration.ofSeconds(4));
        Instant renewed = receiver.renewMessageLock(message).toInstant();
        assertThat(renewed).isEqualTo(broker.now().plusSeconds(5));
        broker.advance(Duration.ofSeconds(4));
        assertThat(broker.counts(quick.path()).locked()).isEqualTo(1);
        broker.advance(Duration.ofSeconds(1));
        assertThat(broker.counts(quick.path()).locked()).isZero();
        assertFails(ServiceBusFailureReason.MESSAGE_LOCK_LOST, () -> receiver.complete(message));
        ServiceBusReceivedMessage again = next(receiver);
        assertThat(again.getDeliveryCount()).isEqualTo(1);
        receiver.complete(again);
        assertBystander("m");
    }

    @Test
    @DisplayName("A processor handles the messages of a subscription, and gets a message again if its handler throws")
    void processor() throws Exception {
        CountDownLatch handled = new CountDownLatch(3);
        AtomicBoolean failed = new AtomicBoolean();
        ServiceBusProcessorClient processor = sdk.builder()
                .processor()
                .topicName(topic)
                .subscriptionName(subscription.name())
                .maxConcurrentCalls(2)
                .processMessage(context -> {
                    if (context.getMessage().getMessageId().equals("2") && !failed.getAndSet(true)) {
                        throw new IllegalStateException("not yet");
                    }
                    handled.countDown();
                })
                .processError(context -> {})
                .buildProcessorClient();
        processor.start();
        try {
            for (String id : List.of("1", "2", "3")) {
                sdk.publish(topic, id);
            }
            assertThat(handled.await(60, TimeUnit.SECONDS)).isTrue();
            Await.until(
                    "an empty subscription",
                    () -> broker.counts(subscription.path()).total() == 0);
        } finally {
            processor.close();
        }
        assertBystander("1", "2", "3");
    }

    @Test
    @DisplayName("TTL-20: the topic's shorter time to live applies to every copy")
    void topicTimeToLive() {
        String shortLived = topics.create(t -> t.defaultMessageTimeToLiveMs(60_000));
        Subscription longer = topics.subscribe(shortLived, s -> s.defaultMessageTimeToLiveMs(3_600_000));
        Instant sent = broker.now();
        sdk.publish(shortLived, "m");
        sdk.publish(shortLived, inOrder("n").setMessageId("n").setTimeToLive(Duration.ofSeconds(10)));
        List<ServiceBusReceivedMessage> peeked =
                sdk.receiver(longer).peekMessages(2).stream().toList();
        assertThat(peeked.get(0).getTimeToLive()).isEqualTo(Duration.ofMinutes(1));
        assertThat(peeked.get(0).getExpiresAt().toInstant()).isEqualTo(sent.plusSeconds(60));
        assertThat(peeked.get(1).getExpiresAt().toInstant()).isEqualTo(sent.plusSeconds(10));
        broker.advance(Duration.ofSeconds(60));
        assertThat(none(sdk.receiver(longer))).isEmpty();
        // That receive may have ended before the broker noticed it, and then it continues.
        Await.until(
                "the removal of both messages",
                () -> broker.counts(longer.path()).total() == 0);
    }

    @Test
    @DisplayName("TTL-21, TTL-22, TTL-23: each subscription's own time to live and flag apply to its own copy only")
    void subscriptionTimeToLive() {
        String tenMinutes = topics.create(t -> t.defaultMessageTimeToLiveMs(600_000));
        Subscription one = topics.subscribe(
                tenMinutes, s -> s.defaultMessageTimeToLiveMs(60_000).deadLetteringOnMessageExpiration(true));
        Subscription five = topics.subscribe(tenMinutes, s -> s.defaultMessageTimeToLiveMs(300_000));
        Instant sent = broker.now();
        sdk.publish(tenMinutes, "m");
        assertThat(sdk.receiver(one).peekMessage().getExpiresAt().toInstant()).isEqualTo(sent.plusSeconds(60));
        assertThat(sdk.receiver(five).peekMessage().getExpiresAt().toInstant()).isEqualTo(sent.plusSeconds(300));
        broker.advance(Duration.ofMinutes(1));
        assertThat(broker.counts(one.path()).active())
                .as("TTL-4: without a receiver")
                .isEqualTo(1);
        assertThat(none(sdk.receiver(one))).isEmpty();
        ServiceBusReceivedMessage dead = next(sdk.deadLetterReceiver(one));
        assertThat(dead.getDeadLetterReason()).isEqualTo("TTLExpiredException");
        assertThat(dead.getBody().toString()).isEqualTo("m");
        assertThat(next(sdk.receiver(five)).getMessageId()).isEqualTo("m");
    }
}
