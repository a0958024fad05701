package dev.jitney.conformance.topics;

import static dev.jitney.conformance.support.PartitionedRun.counter;
import static dev.jitney.conformance.support.PartitionedRun.inOrder;
import static dev.jitney.conformance.support.Sdk.assertFails;
import static dev.jitney.conformance.support.Sdk.next;
import static dev.jitney.conformance.support.Sdk.none;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.amqp.exception.AmqpException;
import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusMessageBatch;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.models.ServiceBusReceiveMode;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.SdkTest;
import dev.jitney.conformance.support.Subscription;
import dev.jitney.conformance.support.Topics;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.MessageCounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of messages that are sent to topics. */
class JavaSdkTopicsTest extends SdkTest {
    private Topics topics;
    private String topic;

    @BeforeEach
    void createTopic() {
        topics = broker.topics();
        topic = topics.create();
    }

    private static List<String> ids(ServiceBusReceiverClient receiver, int count) {
        List<String> ids = new ArrayList<>();
        while (ids.size() < count) {
            ids.add(next(receiver).getMessageId());
        }
        return ids;
    }

    /** Checks the cause of a failed receive, which this SDK wraps. */
    private static void assertReceiveFails(AmqpErrorCondition condition, ServiceBusReceiverClient receiver) {
        assertThatThrownBy(() -> none(receiver))
                .cause()
                .isInstanceOfSatisfying(
                        AmqpException.class,
                        e -> assertThat(e.getErrorCondition()).isEqualTo(condition));
    }

    @Test
    @DisplayName("RULE-1, SEQ-5: every subscription gets its own copy of all messages, in order, with all properties")
    void fanOut() {
        List<Subscription> subscriptions =
                IntStream.range(0, 3).mapToObj(i -> topics.subscribe(topic)).toList();
        sdk.publish(topics.create(), "elsewhere");
        ServiceBusSenderClient sender = sdk.topicSender(topic);
        ServiceBusMessage first = inOrder(new ServiceBusMessage(BinaryData.fromString("body")))
                .setMessageId("1")
                .setSubject("subject")
                .setCorrelationId("correlation")
                .setContentType("text/plain")
                .setReplyTo("answers")
                .setTo("you");
        first.getApplicationProperties().put("n", 7L);
        first.getApplicationProperties().put("text", "äöü");
        sender.sendMessage(first);
        ServiceBusMessageBatch batch = sender.createMessageBatch();
        assertThat(batch.tryAddMessage(inOrder("b").setMessageId("2"))).isTrue();
        assertThat(batch.tryAddMessage(inOrder("b").setMessageId("3"))).isTrue();
        sender.sendMessages(batch);
        sender.sendMessages(List.of(inOrder("l").setMessageId("4"), inOrder("l").setMessageId("5")));
        for (Subscription subscription : subscriptions) {
            assertThat(broker.counts(subscription.path()).active()).isEqualTo(5);
            ServiceBusReceiverClient receiver = sdk.deletingReceiver(subscription);
            ServiceBusReceivedMessage message = next(receiver);
            assertThat(message.getBody().toString()).isEqualTo("body");
            assertThat(message.getMessageId()).isEqualTo("1");
            assertThat(message.getSubject()).isEqualTo("subject");
            assertThat(message.getCorrelationId()).isEqualTo("correlation");
            assertThat(message.getContentType()).isEqualTo("text/plain");
            assertThat(message.getReplyTo()).isEqualTo("answers");
            assertThat(message.getTo()).isEqualTo("you");
            assertThat(message.getApplicationProperties())
                    .containsEntry("n", 7L)
                    .containsEntry("text", "äöü");
            assertThat(counter(message.getSequenceNumber())).isEqualTo(1);
            assertThat(counter(message.getEnqueuedSequenceNumber())).isEqualTo(1);
            assertThat(message.getEnqueuedTime().toInstant()).isEqualTo(broker.now());
            assertThat(ids(receiver, 4)).containsExactly("2", "3", "4", "5");
        }
        MessageCounts counts = broker.counts(topic);
        assertThat(counts.total()).as("CNT-2").isZero();
        assertThat(counts.sizeBytes())
                .as("QUOTA-2: size without remaining bodies")
                .isZero();
    }

    @Test
    @DisplayName("MSG-10: a topic without a matching subscription accepts and drops messages")
    void acceptsAndDrops() {
        sdk.publish(topic, "nobody");
        Subscription picky = topics.subscribe(topic, "a = 1");
        sdk.publish(topic, "unwanted");
        assertThat(broker.counts(picky.path()).total()).isZero();
        assertThat(broker.counts(topic).total()).isZero();
        assertThat(broker.counts(topic).sizeBytes()).isZero();
        assertThat(sdk.receiver(picky).peekMessage()).isNull();
    }

    @Test
    @DisplayName("LOCK-3: locks, settlements and expiries in one subscription do not affect another one")
    void subscriptionsAreIndependent() {
        Subscription one = topics.subscribe(topic);
        Subscription other = topics.subscribe(topic);
        sdk.publish(topic, "m");
        ServiceBusReceiverClient receiver = sdk.receiver(one);
        receiver.complete(next(receiver));
        assertThat(broker.counts(one.path()).total()).isZero();
        assertThat(next(sdk.receiver(other)).getDeliveryCount()).isZero();
        broker.delete(one.path());
        broker.advance(Duration.ofSeconds(60));
        ServiceBusReceivedMessage again = next(sdk.receiver(other));
        assertThat(again.getMessageId()).isEqualTo("m");
        assertThat(again.getDeliveryCount()).isEqualTo(1);
        assertThat(again.getBody().toString()).isEqualTo("m");
    }

    @Test
    @DisplayName("RECV-4: competing receivers of one subscription share its messages")
    void competingReceivers() throws Exception {
        Subscription subscription = topics.subscribe(topic);
        for (int i = 0; i < 20; i++) {
            sdk.publish(topic, "m" + i);
        }
        try (Sdk second = broker.sdk()) {
            ServiceBusReceiverClient a = sdk.deletingReceiver(subscription);
            ServiceBusReceiverClient b = second.deletingReceiver(subscription);
            List<String> ids = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                ids.addAll(ids(a, 1));
                ids.addAll(ids(b, 1));
            }
            assertThat(ids).hasSize(20).doesNotHaveDuplicates();
        }
    }

    @Test
    @DisplayName("SUSP-2: a disabled topic rejects messages; its subscriptions still allow receives")
    void disabledTopic() {
        Subscription subscription = topics.subscribe(topic);
        ServiceBusSenderClient sender = sdk.topicSender(topic);
        sender.sendMessage(new ServiceBusMessage("before").setMessageId("before"));
        for (EntityStatus status : List.of(EntityStatus.DISABLED, EntityStatus.SEND_DISABLED)) {
            topics.update(topic, t -> t.status(status));
            assertFails(
                    ServiceBusFailureReason.MESSAGING_ENTITY_DISABLED,
                    () -> sender.sendMessage(new ServiceBusMessage("refused")));
        }
        ServiceBusReceiverClient receiver = sdk.receiver(subscription);
        ServiceBusReceivedMessage message = next(receiver);
        assertThat(message.getMessageId()).isEqualTo("before");
        receiver.complete(message);
        topics.update(topic, t -> t.status(EntityStatus.ACTIVE));
        sdk.publish(topic, "after");
        assertThat(next(receiver).getMessageId()).isEqualTo("after");
        assertThatThrownBy(() -> topics.update(topic, t -> t.status(EntityStatus.RECEIVE_DISABLED)))
                .hasMessageContaining("ReceiveDisabled");
    }

    @Test
    @DisplayName("SUSP-3, SUSP-5: a disabled subscription still gets messages, and existing locks can be settled")
    void disabledSubscription() {
        Subscription subscription = topics.subscribe(topic);
        sdk.publish(topic, "held");
        ServiceBusReceiverClient receiver = sdk.receiver(subscription);
        ServiceBusReceivedMessage held = next(receiver);
        for (EntityStatus status : List.of(EntityStatus.DISABLED, EntityStatus.RECEIVE_DISABLED)) {
            topics.update(subscription, s -> s.status(status));
            sdk.publish(topic, status.name());
            ServiceBusReceiverClient refused = sdk.receiver(subscription);
            assertReceiveFails(AmqpErrorCondition.ENTITY_DISABLED_ERROR, refused);
            assertFails(ServiceBusFailureReason.MESSAGING_ENTITY_DISABLED, refused::peekMessage);
        }
        receiver.complete(held);
        topics.update(subscription, s -> s.status(EntityStatus.ACTIVE));
        assertThat(ids(sdk.deletingReceiver(subscription), 2)).containsExactly("DISABLED", "RECEIVE_DISABLED");
    }

    @Test
    @DisplayName("RECV-11: a topic rejects receivers, and a subscription rejects senders")
    void wrongEnds() {
        Subscription subscription = topics.subscribe(topic);
        ServiceBusReceiverClient receiver =
                sdk.keep(sdk.builder().receiver().queueName(topic).buildClient());
        assertThatThrownBy(() -> none(receiver)).rootCause().hasMessageContaining("/Subscriptions/");
        ServiceBusSenderClient sender = sdk.sender(subscription.path());
        assertThatThrownBy(() -> sender.sendMessage(new ServiceBusMessage("m"))).hasMessageContaining("cannot be sent");
    }

    @Test
    @DisplayName("ENT-3: missing topics and subscriptions are reported as such")
    void missing() {
        assertFails(
                ServiceBusFailureReason.MESSAGING_ENTITY_NOT_FOUND,
                () -> sdk.topicSender("no-topic").sendMessage(new ServiceBusMessage("m")));
        ServiceBusReceiverClient receiver = sdk.receiver(new Subscription(topic, "none"));
        assertReceiveFails(AmqpErrorCondition.NOT_FOUND, receiver);
    }

    @Test
    @DisplayName("RECV-2: receive-and-delete removes each copy, and the last one the body")
    void lastCopyTakesTheBody() {
        Subscription one = topics.subscribe(topic);
        Subscription two = topics.subscribe(topic);
        sdk.publish(topic, new ServiceBusMessage(BinaryData.fromBytes(new byte[100_000])).setMessageId("large"));
        long whole = broker.counts(topic).sizeBytes();
        assertThat(whole).as("QUOTA-2: one body for both").isBetween(100_000L, 110_000L);
        assertThat(next(sdk.deletingReceiver(one)).getBody().toBytes()).hasSize(100_000);
        assertThat(broker.counts(topic).sizeBytes()).isBetween(100_000L, whole);
        assertThat(next(sdk.receiver(two, b -> b.receiveMode(ServiceBusReceiveMode.RECEIVE_AND_DELETE)))
                        .getBody()
                        .toBytes())
                .hasSize(100_000);
        assertThat(broker.counts(topic).sizeBytes()).isZero();
    }

    @Test
    @DisplayName("STATE-4: topic messages, rules and copies survive a restart")
    void survivesRestart() throws Exception {
        Subscription all = topics.subscribe(topic);
        Subscription some = topics.subscribe(topic, "a = 1");
        sdk.publish(topic, "before");
        sdk.close();
        broker.restart();
        sdk = broker.sdk();
        ServiceBusMessage after = inOrder("after").setMessageId("after");
        after.getApplicationProperties().put("a", 1);
        sdk.publish(topic, after);
        assertThat(ids(sdk.deletingReceiver(all), 2)).containsExactly("before", "after");
        assertThat(ids(sdk.deletingReceiver(some), 1)).containsExactly("after");
        assertThat(broker.counts(topic).sizeBytes()).isZero();
    }
}
