package dev.jitney.conformance.forwarding;

import static dev.jitney.conformance.support.PartitionedRun.counter;
import static dev.jitney.conformance.support.PartitionedRun.inOrder;
import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.Subscription;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.model.EntityStatus;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of chains, circles and trees of entities that forward (FWD-5, FWD-8, FWD-9). */
class JavaSdkForwardingChainsTest extends ForwardTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.frozenWithStores(3);

    @Override
    TestBroker broker() {
        return broker;
    }

    private static ServiceBusMessage message(String id) {
        return inOrder(id).setMessageId(id);
    }

    @Test
    @DisplayName("FWD-1: from a queue to a topic, and from subscriptions to a queue and to another topic")
    void topics() {
        String queue = broker.queue();
        String second = broker.topics().create();
        Subscription last = broker.topics().subscribe(second);
        String first = broker.topics().create();
        broker.topics().subscribe(first, s -> s.forwardTo(queue));
        broker.topics().subscribe(first, s -> s.forwardTo(second));
        Subscription stays = broker.topics().subscribe(first);
        sdk.send(queueTo(first), "m");
        arrived(queue, 1);
        arrived(last.path(), 1);
        arrived(stays.path(), 1);
        assertThat(next(sdk.deletingReceiver(last)).getBody()).hasToString("m");
        assertThat(next(sdk.deletingReceiver(stays)).getBody()).hasToString("m");
        assertThat(next(sdk.deletingReceiver(queue)).getBody()).hasToString("m");
        Await.until("an empty topic (QUOTA-2)", () -> counts(first).sizeBytes() == 0);
    }

    @Test
    @DisplayName("FWD-5: a circle ends after four transfers")
    void circle() {
        String one = broker.queue();
        String two = queueTo(one);
        broker.update(one, q -> q.forwardTo(two));
        sdk.send(one, "m");
        stranded(one, 1);
        empty(two);
        ServiceBusReceivedMessage stranded = next(transferDeadLetters(one));
        assertThat(stranded.getDeadLetterReason()).isEqualTo(HOPS);
        assertThat(counter(stranded.getEnqueuedSequenceNumber())).as("SEQ-5").isEqualTo(1);
    }

    @Test
    @DisplayName("FWD-8: 300 messages keep their order through four transfers between stores")
    void order() {
        List<String> chain = chain(5);
        List<String> sent = IntStream.range(0, 300).mapToObj(i -> "m" + i).toList();
        ServiceBusSenderClient sender = sdk.sender(chain.get(0));
        for (int i = 0; i < 300; i += 50) {
            sender.sendMessages(
                    sent.subList(i, i + 50).stream().map(id -> message(id)).toList());
        }
        arrived(chain.get(4), 300);
        assertThat(take(chain.get(4), 300)).isEqualTo(sent);
        for (String queue : chain) {
            empty(queue);
        }
    }

    @Test
    @DisplayName("FWD-9, DLQ-18, DLQ-29, SCN-6: four transfers are made, the fifth is not")
    void hops() {
        List<String> five = chain(5);
        sdk.send(five.get(0), "near");
        arrived(five.get(4), 1);

        List<String> six = chain(6);
        sdk.send(six.get(0), "far");
        stranded(six.get(4), 1);
        assertThat(counts(six.get(5)).total()).isZero();
        ServiceBusReceiverClient receiver = transferDeadLetters(six.get(4));
        ServiceBusReceivedMessage stranded = next(receiver);
        assertThat(stranded.getBody()).hasToString("far");
        assertThat(stranded.getDeadLetterReason()).isEqualTo(HOPS);
        assertThat(stranded.getDeadLetterErrorDescription()).isEqualTo(HOPS_TEXT);
        assertThat(stranded.getDeadLetterSource()).as("DLQ-38").isNull();

        sdk.send(six.get(4), new ServiceBusMessage(stranded));
        receiver.complete(stranded);
        arrived(six.get(5), 1);
        assertThat(counts(six.get(4)).total())
                .as("a new send starts with a new hop count")
                .isZero();
    }

    @Test
    @DisplayName("FWD-9: from a topic to its subscriptions is no hop")
    void fanOutIsFree() {
        List<String> chain = chain(4);
        String topic = broker.topics().create();
        Subscription subscription = broker.topics().subscribe(topic, s -> s.forwardTo(chain.get(1)));
        sdk.send(queueTo(topic), "near");
        arrived(chain.get(3), 1);

        broker.topics().update(subscription, s -> s.forwardTo(chain.get(0)));
        sdk.publish(topic, "from the topic");
        arrived(chain.get(3), 2);
        sdk.send(queueTo(topic), "far");
        stranded(chain.get(2), 1);
        assertThat(next(transferDeadLetters(chain.get(2))).getBody()).hasToString("far");
    }

    @Test
    @DisplayName("SEQ-5: from a topic over a subscription to a queue, the first number is the topic's")
    void firstNumber() {
        String to = broker.queue();
        String topic = broker.topics().create();
        broker.topics().subscribe(topic, s -> s.forwardTo(to));
        Subscription plain = broker.topics().subscribe(topic);
        sdk.send(to, "other");
        for (String id : List.of("a", "b", "c")) {
            sdk.publish(topic, id);
        }
        arrived(to, 4);
        List<ServiceBusReceivedMessage> copies =
                sdk.receiver(plain).peekMessages(3).stream().toList();
        List<ServiceBusReceivedMessage> moved =
                sdk.receiver(to).peekMessages(4).stream().toList();
        assertThat(moved)
                .extracting(message -> counter(message.getSequenceNumber()))
                .containsExactly(1L, 2L, 3L, 4L);
        assertThat(moved.subList(1, 4))
                .extracting(ServiceBusReceivedMessage::getEnqueuedSequenceNumber)
                .isEqualTo(copies.stream()
                        .map(ServiceBusReceivedMessage::getEnqueuedSequenceNumber)
                        .toList())
                .extracting(number -> counter(number))
                .containsExactly(1L, 2L, 3L);
    }

    @Test
    @DisplayName("FWD-9: subscriptions that forward in a circle stop after four transfers")
    void circleOfTopics() {
        String topic = broker.topics().create();
        String other = broker.topics().create();
        broker.topics().subscribe(other, s -> s.forwardTo(topic));
        Subscription round = broker.topics().subscribe(topic, s -> s.forwardTo(other));
        Subscription all = broker.topics().subscribe(topic);
        sdk.publish(topic, "m");
        stranded(round.path(), 1);
        assertThat(counts(all.path()).active())
                .as("the first copy and two others")
                .isEqualTo(3);
        assertThat(sdk.receiver(all).peekMessages(3))
                .extracting(copy -> counter(copy.getEnqueuedSequenceNumber()))
                .containsOnly(1L);
    }

    @Test
    @DisplayName("FWD-8, FWD-9: a batch of a hundred over a topic to three queues, all complete and in order")
    void tree() {
        List<String> leaves = List.of(broker.queue(), broker.queue(), broker.queue());
        String topic = broker.topics().create();
        leaves.forEach(leaf -> broker.topics().subscribe(topic, s -> s.forwardTo(leaf)));
        List<String> sent = IntStream.range(0, 100).mapToObj(i -> "m" + i).toList();
        sdk.sender(queueTo(topic))
                .sendMessages(sent.stream().map(id -> message(id)).toList());
        for (String leaf : leaves) {
            arrived(leaf, 100);
            assertThat(take(leaf, 100)).isEqualTo(sent);
        }
        Await.until("an empty topic", () -> counts(topic).sizeBytes() == 0);
    }

    @Test
    @DisplayName("FWD-8, STATE-2: a restart in between has no effect")
    void restart() throws Exception {
        List<String> chain = chain(3);
        broker.status(chain.get(1), EntityStatus.RECEIVE_DISABLED);
        sdk.send(chain.get(0), "a");
        arrived(chain.get(1), 1);
        broker.restart();
        assertThat(counts(chain.get(1)).active()).isEqualTo(1);
        broker.status(chain.get(1), EntityStatus.ACTIVE);
        arrived(chain.get(2), 1);
        try (Sdk fresh = broker.sdk()) {
            ServiceBusReceivedMessage message = next(fresh.receiver(chain.get(2)));
            assertThat(message.getMessageId()).isEqualTo("a");
            assertThat(counter(message.getEnqueuedSequenceNumber())).isEqualTo(1);
        }
    }
}
