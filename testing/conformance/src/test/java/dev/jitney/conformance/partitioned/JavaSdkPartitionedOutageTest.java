package dev.jitney.conformance.partitioned;

import static dev.jitney.conformance.partitioned.Partitions.keyed;
import static dev.jitney.conformance.partitioned.Partitions.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.amqp.exception.AmqpException;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.model.EntityAvailability;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("SCN-9: one of sixteen stores is stopped under a partitioned queue")
class JavaSdkPartitionedOutageTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.tickingWithStores(Partitions.COUNT);

    private static final int STOPPED = 3;

    /** The timeout of clients for a send. No client uses less; the redirect takes up to fifteen seconds (PART-41). */
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

    private final Sdk sdk = broker.sdk();

    /** A key for each fragment. */
    private final Map<Long, String> keys = new TreeMap<>();

    /** The stopped stores. */
    private final Set<Integer> down = new HashSet<>();

    private String queue;
    private ServiceBusSenderClient sender;
    private ServiceBusReceiverClient receiver;

    @BeforeEach
    void open() {
        queue = Partitions.queue(broker);
        sender = sdk.sender(queue);
        receiver = sdk.receiver(queue);
        while (keys.size() < Partitions.COUNT) {
            for (int i = 0; i < 40; i++) {
                sender.sendMessage(keyed("m", "key-" + keys.size() + "-" + i));
            }
            take(receiver, 40).forEach(m -> keys.putIfAbsent(Partitions.of(m), m.getPartitionKey()));
        }
    }

    @AfterEach
    void close() throws Exception {
        sdk.close();
        for (int store : down) {
            broker.startStore(store);
        }
    }

    private void stop(int store) {
        broker.stopStore(store);
        down.add(store);
    }

    private void start(int store) {
        broker.startStore(store);
        down.remove(store);
    }

    private ServiceBusSenderClient impatient() {
        return sdk.keep(TestBroker.clientBuilder(broker.lastingConnectionString())
                .retryOptions(new AmqpRetryOptions().setMaxRetries(0).setTryTimeout(Duration.ofSeconds(20)))
                .sender()
                .queueName(queue)
                .buildClient());
    }

    @Test
    @DisplayName(
            "PART-28, PART-39, PART-42, PART-55, PART-56, PART-58: only the messages of a fragment are affected, until it is available again")
    void scenario() {
        stop(STOPPED);
        assertThat(broker.availability(queue)).isEqualTo(EntityAvailability.LIMITED);

        for (int i = 0; i < 160; i++) {
            sender.sendMessage(new ServiceBusMessage("m" + i));
        }
        List<ServiceBusReceivedMessage> received = take(receiver, 160);
        Map<Long, Long> spread =
                received.stream().collect(Collectors.groupingBy(Partitions::of, Collectors.counting()));
        assertThat(spread).hasSize(Partitions.COUNT - 1);

        ServiceBusSenderClient impatient = impatient();
        Map<Long, Throwable> failed = new HashMap<>();
        keys.forEach((fragment, key) -> {
            try {
                impatient.sendMessage(keyed("keyed", key));
            } catch (RuntimeException e) {
                failed.put(fragment, e);
            }
        });
        assertThat(failed).hasSize(1);
        long lost = failed.keySet().iterator().next();
        assertThat(spread).doesNotContainKey(lost);
        assertThat(cause(failed.get(lost)))
                .hasMessageContaining("PartitionNotOwned: Partition " + lost + " ")
                .satisfies(e -> assertThat(e.getErrorCondition()).isEqualTo(AmqpErrorCondition.SERVER_BUSY_ERROR));
        assertThat(take(receiver, Partitions.COUNT - 1)).noneMatch(m -> Partitions.of(m) == lost);

        assertThatThrownBy(() -> broker.update(queue, q -> q.maxDeliveryCount(3)))
                .hasMessageContaining("unavailable");
        assertThat(broker.description(queue).maxDeliveryCount()).isEqualTo(10);

        start(STOPPED);
        Await.until(
                "the whole queue to be available", () -> broker.availability(queue) == EntityAvailability.AVAILABLE);
        impatient.sendMessage(keyed("again", keys.get(lost)));
        assertThat(take(receiver, 1)).allMatch(m -> Partitions.of(m) == lost);
        broker.update(queue, q -> q.maxDeliveryCount(3));
        assertThat(broker.description(queue).maxDeliveryCount()).isEqualTo(3);
    }

    @Test
    @DisplayName("PART-28: the SDK retries a keyed send and so bridges a short outage of its partition")
    void ridesOver() {
        stop(STOPPED);
        ServiceBusSenderClient impatient = impatient();
        String key = keys.values().stream()
                .filter(one -> isRefused(impatient, one))
                .findFirst()
                .orElseThrow();
        CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> sender.sendMessage(keyed("patient", key)));
        for (int i = 0; i < 3; i++) { // long enough for the first attempt to fail
            assertThat(isRefused(impatient, key)).isTrue();
        }
        assertThat(sending).isNotDone();
        start(STOPPED);
        assertThat(sending).succeedsWithin(DEFAULT_TIMEOUT);
        Await.until(
                "the message",
                () -> take(receiver, 1).stream()
                        .anyMatch(m -> m.getBody().toString().equals("patient")));
    }

    private static boolean isRefused(ServiceBusSenderClient impatient, String key) {
        try {
            impatient.sendMessage(keyed("impatient", key));
            return false;
        } catch (RuntimeException e) {
            assertThat(cause(e).getErrorCondition()).isEqualTo(AmqpErrorCondition.SERVER_BUSY_ERROR);
            return true;
        }
    }

    private static AmqpException cause(@Nullable Throwable thrown) {
        for (Throwable e = thrown; e != null; e = e.getCause()) {
            if (e instanceof AmqpException amqp) {
                return amqp;
            }
        }
        throw new AssertionError("Expected an AMQP error, but got another one.", thrown);
    }

    @Test
    @DisplayName(
            "PART-3, PART-12, PART-58: messages in a stopped store are not lost, and a waiting receiver gets them after its restart")
    void comesBack() {
        keys.values().forEach(key -> sender.sendMessage(keyed(key, key)));
        stop(STOPPED);
        assertThat(take(receiver, Partitions.COUNT - 1)).hasSize(Partitions.COUNT - 1);
        assertThat(broker.counts(queue).total())
                .as("PART-58: counters of the available fragments")
                .isZero();
        start(STOPPED);
        assertThat(take(receiver, 1)).hasSize(1);
        Await.until("an empty queue", () -> broker.counts(queue).total() == 0);
    }

    @Test
    @DisplayName(
            "PART-41, PART-39: a send without a key succeeds while fifteen of sixteen stores are stopped; the SDK's own timeout is 60 s")
    void fifteenDown() {
        assertThat(new AmqpRetryOptions().getTryTimeout()).isEqualTo(DEFAULT_TIMEOUT);
        for (int i = 1; i < Partitions.COUNT; i++) {
            stop(i);
        }
        ServiceBusSenderClient impatient = impatient();
        for (int i = 0; i < 20; i++) {
            impatient.sendMessage(new ServiceBusMessage("m" + i));
        }
        assertThat(take(receiver, 20).stream().map(Partitions::of).distinct()).hasSize(1);
    }
}
