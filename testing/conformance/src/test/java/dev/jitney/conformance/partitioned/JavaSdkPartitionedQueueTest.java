package dev.jitney.conformance.partitioned;

import static dev.jitney.conformance.partitioned.Partitions.keyed;
import static dev.jitney.conformance.partitioned.Partitions.take;
import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.ServiceBusTransactionContext;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of receives from all fragments, of keys, and of transactions, from the view of applications. */
class JavaSdkPartitionedQueueTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.frozenWithStores(4);

    private Sdk sdk;
    private String queue;
    private ServiceBusSenderClient sender;

    @BeforeEach
    void open() {
        sdk = broker.sdk();
        queue = Partitions.queue(broker);
        sender = sdk.sender(queue);
    }

    @AfterEach
    void close() throws Exception {
        sdk.close();
    }

    @Test
    @DisplayName("PART-4, PART-12, PART-25: a message is in the fragment of its key and received from any fragment")
    void findsEveryFragment() {
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        Set<Long> found = new HashSet<>();
        for (int i = 0; i < 64; i++) {
            String key = "key-" + i % 32;
            sender.sendMessage(keyed("m", key));
            ServiceBusReceivedMessage message = next(receiver);
            assertThat(message.getPartitionKey()).isEqualTo(key);
            receiver.complete(message);
            found.add(Partitions.of(message));
        }
        assertThat(found).hasSizeGreaterThan(8).allMatch(fragment -> fragment < Partitions.COUNT);
    }

    @Test
    @DisplayName("PART-10, PART-38: 160 messages without a key are distributed evenly, ten to each fragment")
    void spreads() {
        for (int i = 0; i < 160; i++) {
            sender.sendMessage(new ServiceBusMessage("m" + i));
        }
        assertThat(take(sdk.receiver(queue), 160).stream()
                        .collect(Collectors.groupingBy(Partitions::of, Collectors.counting())))
                .hasSize(Partitions.COUNT)
                .allSatisfy((fragment, count) -> assertThat(count).isEqualTo(10));
    }

    @Test
    @DisplayName("PART-13, PART-59: messages prefetched by a connection are locked and delivered by its next receives")
    void keepsAhead() throws Exception {
        sdk.send(queue, keyed("1", "key-1"));
        sdk.send(queue, keyed("2", "key-2"));
        sdk.send(queue, keyed("3", "key-3"));
        Set<String> got = new HashSet<>();
        try (Sdk another = broker.sdk()) {
            ServiceBusReceiverClient first = sdk.receiver(queue);
            ServiceBusReceivedMessage one = next(first);
            assertThat(broker.counts(queue).locked()).isBetween(1L, 3L);
            got.add(one.getMessageId());
            got.add(next(first).getMessageId());
            got.add(next(first).getMessageId());
            assertThat(Sdk.none(another.receiver(queue))).isEmpty();
            first.complete(one);
        }
        assertThat(got).containsExactlyInAnyOrder("1", "2", "3");
        sdk.close();
        sdk = broker.sdk();
        broker.awaitNoReceivers(queue);
        broker.advance(Duration.ofMinutes(2));
        assertThat(take(sdk.receiver(queue), 2)).hasSize(2);
    }

    @Test
    @DisplayName(
            "PART-13, LOCK-2: one message at a time, each processed for most of the lock duration: none is delivered twice")
    void oneAtATime() {
        Duration lock = Duration.ofSeconds(10);
        String slow = broker.queue(q -> q.enablePartitioning(true).lockDurationMs(lock.toMillis()));
        int count = 2 * Partitions.COUNT;
        for (int i = 0; i < count; i++) {
            sdk.send(slow, new ServiceBusMessage("m").setMessageId("m" + i));
        }
        ServiceBusReceiverClient receiver = sdk.receiver(slow);
        Set<String> got = new HashSet<>();
        for (int i = 0; i < count; i++) {
            ServiceBusReceivedMessage message = next(receiver);
            assertThat(got.add(message.getMessageId())).isTrue();
            assertThat(message.getDeliveryCount()).isZero();
            broker.advance(lock.minusSeconds(2));
            receiver.complete(message);
        }
        Await.until("an empty queue", () -> broker.counts(slow).total() == 0);
    }

    @Test
    @DisplayName("PART-59, PART-60: another connection immediately gets messages that no receiver has credit for")
    void goesToAnother() throws Exception {
        for (int i = 0; i < Partitions.COUNT; i++) {
            sender.sendMessage(new ServiceBusMessage("m" + i));
        }
        ServiceBusReceivedMessage one = next(sdk.receiver(queue));
        try (Sdk another = broker.sdk()) {
            assertThat(take(another.receiver(queue), Partitions.COUNT - 1))
                    .extracting(ServiceBusReceivedMessage::getDeliveryCount)
                    .containsOnly(0L);
        }
        assertThat(one.getDeliveryCount()).isZero();
    }

    @Test
    @DisplayName(
            "PART-59, PART-60: two connections finally get all messages, and undelivered ones have no delivery count")
    void twoConnections() throws Exception {
        try (Sdk another = broker.sdk()) {
            for (int i = 0; i < 3; i++) {
                sdk.send(queue, keyed("m" + i, "key-" + i));
            }
            ServiceBusReceivedMessage one;
            try (Sdk going = broker.sdk()) { // its connection releases messages without credit
                ServiceBusReceiverClient first = going.receiver(queue);
                one = next(first);
                first.complete(one);
            }
            List<ServiceBusReceivedMessage> rest = take(another.receiver(queue), 2);
            assertThat(rest)
                    .extracting(ServiceBusReceivedMessage::getDeliveryCount)
                    .containsOnly(0L);
            assertThat(rest).extracting(ServiceBusReceivedMessage::getMessageId).doesNotContain(one.getMessageId());
        }
        Await.until("an empty queue", () -> broker.counts(queue).total() == 0);
    }

    @Test
    @DisplayName(
            "PART-47, PART-33: the example of the reference: a keyed message in a transaction is visible after the commit")
    void workedExample() {
        ServiceBusTransactionContext transaction = sender.createTransaction();
        sender.sendMessage(keyed("in it", "myPartitionKey"), transaction);
        assertThat(broker.counts(queue).active()).isZero();
        sender.commitTransaction(transaction);
        assertThat(take(sdk.receiver(queue), 1).get(0).getPartitionKey()).isEqualTo("myPartitionKey");
        ServiceBusTransactionContext other = sender.createTransaction();
        sender.sendMessage(keyed("never", "myPartitionKey"), other);
        sender.rollbackTransaction(other);
        assertThat(broker.counts(queue).total()).isZero();
    }

    /** Sends both messages in a transaction, which must fail and store nothing. */
    private void assertRefused(String words, String entity, ServiceBusMessage... messages) {
        ServiceBusSenderClient to = sdk.sender(entity);
        ServiceBusTransactionContext transaction = to.createTransaction();
        assertThatThrownBy(() -> {
                    for (ServiceBusMessage message : messages) {
                        to.sendMessage(message, transaction);
                    }
                    to.commitTransaction(transaction);
                })
                .hasMessageContaining(words);
        assertThat(broker.counts(entity).total()).isZero();
    }

    @Test
    @DisplayName("SCN-10, PART-45, PART-46: keys a, a commit; a, b and none are refused and store nothing")
    void oneKey() {
        ServiceBusTransactionContext transaction = sender.createTransaction();
        sender.sendMessage(keyed("1", "a"), transaction);
        sender.sendMessage(keyed("2", "a"), transaction);
        sender.commitTransaction(transaction);
        List<ServiceBusReceivedMessage> both = take(sdk.receiver(queue), 2);
        assertThat(both).extracting(ServiceBusReceivedMessage::getMessageId).containsExactly("1", "2");
        assertThat(both.stream().map(Partitions::of).distinct()).hasSize(1);
        assertRefused("same SessionId or PartitionKey", queue, keyed("1", "a"), keyed("2", "b"));
        assertRefused("a message has none", queue, new ServiceBusMessage("no key"));
    }

    @Test
    @DisplayName("PART-49 to PART-51: a transaction sends to one session, by its id")
    void oneSession() {
        String sessions = broker.queue(q -> q.enablePartitioning(true).requiresSession(true));
        ServiceBusSenderClient to = sdk.sender(sessions);
        ServiceBusTransactionContext transaction = to.createTransaction();
        to.sendMessage(new ServiceBusMessage("1").setSessionId("mySession"), transaction);
        to.sendMessage(new ServiceBusMessage("2").setSessionId("mySession").setPartitionKey("mySession"), transaction);
        to.commitTransaction(transaction);
        assertThat(broker.counts(sessions).active()).isEqualTo(2);

        String empty = broker.queue(q -> q.enablePartitioning(true).requiresSession(true));
        assertRefused("SessionId", empty, keyed("no session", "key"));
        assertRefused(
                "same SessionId",
                empty,
                new ServiceBusMessage("1").setSessionId("mySession"),
                new ServiceBusMessage("2").setSessionId("another"));
        assertThatThrownBy(() ->
                        new ServiceBusMessage("2").setSessionId("mySession").setPartitionKey("another"))
                .as("the SDK rejects the message itself")
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("PART-53, PART-54: keyed messages that are forwarded share a fragment of the destination")
    void forwarded(boolean fromPartitioned) {
        String source = broker.queue(q -> q.enablePartitioning(fromPartitioned).forwardTo(queue));
        ServiceBusSenderClient to = sdk.sender(source);
        for (int i = 0; i < 50; i++) {
            to.sendMessage(keyed("m" + i, "one key"));
        }
        List<ServiceBusReceivedMessage> all = take(sdk.receiver(queue), 50);
        assertThat(all.stream().map(Partitions::of).distinct()).hasSize(1);
        assertThat(all)
                .extracting(ServiceBusReceivedMessage::getMessageId)
                .startsWith("m0")
                .endsWith("m49");
    }
}
