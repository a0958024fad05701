package dev.jitney.conformance.topics;

import static dev.jitney.conformance.support.PartitionedRun.inOrder;
import static dev.jitney.conformance.support.Sdk.assertFails;
import static dev.jitney.conformance.support.Sdk.next;
import static dev.jitney.conformance.support.Sdk.none;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.SdkTest;
import dev.jitney.conformance.support.Subscription;
import dev.jitney.conformance.support.Topics;
import dev.jitney.model.EntityStatus;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of scheduled messages, which wait at the topic. */
class JavaSdkTopicSchedulingTest extends SdkTest {
    private Topics topics;
    private String topic;

    @BeforeEach
    void createTopic() {
        topics = broker.topics();
        topic = topics.create();
    }

    private OffsetDateTime in(Duration time) {
        return broker.now().plus(time).atOffset(ZoneOffset.UTC);
    }

    private void awaitActive(Subscription subscription, long count) {
        Await.until(
                count + " active messages",
                () -> broker.counts(subscription.path()).active() == count);
    }

    @Test
    @DisplayName(
            "SCHED-7, CNT-2: a scheduled message counts at the topic; a subscription created meanwhile gets it, a deleted one does not")
    void waitsAtTheTopic() {
        Subscription early = topics.subscribe(topic);
        Subscription gone = topics.subscribe(topic);
        OffsetDateTime due = in(Duration.ofMinutes(5));
        long number = sdk.topicSender(topic)
                .scheduleMessage(
                        new ServiceBusMessage("m").setMessageId("m").setTimeToLive(Duration.ofMinutes(10)), due);
        assertThat(broker.counts(topic).scheduled()).isEqualTo(1);
        assertThat(broker.counts(topic).active()).isZero();
        assertThat(broker.counts(early.path()).total()).isZero();
        assertThat(sdk.receiver(early).peekMessage()).as("PEEK-2").isNull();
        broker.delete(gone.path());
        Subscription late = topics.subscribe(topic);
        Subscription picky = topics.subscribe(topic, "sys.Label = 'x'");

        broker.advance(Duration.ofMinutes(5).minusMillis(1));
        assertThat(broker.counts(topic).scheduled()).isEqualTo(1);
        broker.advance(Duration.ofMillis(1));
        for (Subscription subscription : List.of(early, late)) {
            ServiceBusReceivedMessage message = next(sdk.receiver(subscription));
            assertThat(message.getMessageId()).isEqualTo("m");
            assertThat(message.getEnqueuedTime().toInstant()).isEqualTo(due.toInstant());
            assertThat(message.getExpiresAt().toInstant())
                    .as("TTL-12, TTL-13")
                    .isEqualTo(due.plusMinutes(10).toInstant());
            assertThat(message.getEnqueuedSequenceNumber()).as("SEQ-5").isEqualTo(number);
        }
        assertThat(broker.counts(picky.path()).total()).isZero();
        assertThat(broker.counts(topic).scheduled()).isZero();
    }

    @Test
    @DisplayName("SCHED-1: a message scheduled by a property of a normal send waits, too")
    void scheduledByProperty() {
        Subscription subscription = topics.subscribe(topic);
        sdk.publish(
                topic,
                new ServiceBusMessage("later").setMessageId("later").setScheduledEnqueueTime(in(Duration.ofHours(1))));
        sdk.publish(topic, "now");
        ServiceBusReceiverClient receiver = sdk.deletingReceiver(subscription);
        assertThat(next(receiver).getMessageId()).isEqualTo("now");
        assertThat(none(receiver)).isEmpty();
        broker.advance(Duration.ofHours(1));
        assertThat(next(receiver).getMessageId()).isEqualTo("later");
    }

    @Test
    @DisplayName("SCHED-4: canceled messages are never delivered; unknown and activated numbers fail, all or none")
    void cancels() {
        Subscription subscription = topics.subscribe(topic);
        ServiceBusSenderClient sender = sdk.topicSender(topic);
        List<Long> numbers = new ArrayList<>();
        sender.scheduleMessages(
                        List.of(
                                new ServiceBusMessage("a").setMessageId("a"),
                                new ServiceBusMessage("b").setMessageId("b"),
                                new ServiceBusMessage("c").setMessageId("c")),
                        in(Duration.ofMinutes(1)))
                .forEach(numbers::add);
        sender.cancelScheduledMessage(numbers.get(0));
        sender.cancelScheduledMessages(
                List.of(numbers.get(1), numbers.get(0))); // fails, which this SDK does not report
        assertThat(broker.counts(topic).scheduled()).isEqualTo(2);
        sender.cancelScheduledMessages(List.of(numbers.get(1)));
        broker.advance(Duration.ofMinutes(1));
        ServiceBusReceiverClient receiver = sdk.deletingReceiver(subscription);
        assertThat(next(receiver).getMessageId()).isEqualTo("c");
        assertThat(none(receiver)).isEmpty();
        sender.cancelScheduledMessage(numbers.get(2)); // fails, which this SDK does not report
    }

    @Test
    @DisplayName("SCHED-7: a disabled topic does not activate messages; it does so when it is enabled again")
    void disabledTopicDoesNotActivate() {
        Subscription subscription = topics.subscribe(topic);
        ServiceBusSenderClient sender = sdk.topicSender(topic);
        sender.scheduleMessage(new ServiceBusMessage("m").setMessageId("m"), in(Duration.ofMinutes(1)));
        topics.update(topic, t -> t.status(EntityStatus.DISABLED));
        broker.advance(Duration.ofMinutes(5));
        assertThat(broker.counts(topic).scheduled()).isEqualTo(1);
        assertThat(broker.counts(subscription.path()).active()).isZero();
        assertFails(
                ServiceBusFailureReason.MESSAGING_ENTITY_DISABLED,
                () -> sender.scheduleMessage(new ServiceBusMessage("n"), in(Duration.ofMinutes(1))));
        topics.update(topic, t -> t.status(EntityStatus.ACTIVE));
        awaitActive(subscription, 1);
        assertThat(next(sdk.receiver(subscription)).getMessageId()).isEqualTo("m");
    }

    @Test
    @DisplayName(
            "SCHED-3: messages that are due together are delivered in the order of their times, in every subscription")
    void dueTogether() {
        List<Subscription> subscriptions = List.of(topics.subscribe(topic), topics.subscribe(topic));
        ServiceBusSenderClient sender = sdk.topicSender(topic);
        sender.scheduleMessage(inOrder("2").setMessageId("2"), in(Duration.ofMinutes(2)));
        sender.scheduleMessage(inOrder("1").setMessageId("1"), in(Duration.ofMinutes(1)));
        sdk.publish(topic, "0");
        broker.advance(Duration.ofMinutes(3));
        for (Subscription subscription : subscriptions) {
            awaitActive(subscription, 3);
            ServiceBusReceiverClient receiver = sdk.deletingReceiver(subscription);
            assertThat(List.of(next(receiver), next(receiver), next(receiver)))
                    .extracting(ServiceBusReceivedMessage::getMessageId)
                    .containsExactly("0", "1", "2");
        }
    }

    @Test
    @DisplayName("STATE-4, SCHED-7: a scheduled message survives a restart and is published at its time")
    void survivesRestart() throws Exception {
        Subscription subscription = topics.subscribe(topic);
        sdk.topicSender(topic).scheduleMessage(new ServiceBusMessage("m").setMessageId("m"), in(Duration.ofMinutes(1)));
        sdk.close();
        broker.restart();
        sdk = broker.sdk();
        assertThat(broker.counts(topic).scheduled()).isEqualTo(1);
        broker.advance(Duration.ofMinutes(1));
        assertThat(next(sdk.receiver(subscription)).getMessageId()).isEqualTo("m");
    }
}
