package dev.jitney.conformance.partitioned;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.amqp.AmqpRetryMode;
import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusProcessorClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A test that stops and starts stores while clients of the official SDK send to a partitioned queue and receive from
 * it. It takes 5 s, or the time in {@code -Djitney.conformance.outageSeconds}. {@code -Djitney.conformance.outageSeed}
 * repeats an order of events.
 */
class JavaSdkStoresUnderLoadTest {
    private static final int STORES = 4;
    private static final int SENDERS = 4;
    private static final Duration TIME = Duration.ofSeconds(Integer.getInteger("jitney.conformance.outageSeconds", 5));
    /** The minimum number of messages; fewer prove little. A slow machine takes more time for them. */
    private static final int SENT_MIN = 100;

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long SEED = Long.getLong("jitney.conformance.outageSeed", System.nanoTime());

    @RegisterExtension
    static final TestBroker broker = TestBroker.tickingWithStores(STORES);

    /** The sends that the server has confirmed. {@link #perhaps} are those with an unknown outcome. */
    private final Set<String> sent = ConcurrentHashMap.newKeySet();

    private final Set<String> unknown = ConcurrentHashMap.newKeySet();

    /** The number of successful completions of each message. {@link #seen} are the deliveries. */
    private final Map<String, AtomicInteger> completed = new ConcurrentHashMap<>();

    private final Map<String, AtomicInteger> seen = new ConcurrentHashMap<>();
    private final AtomicBoolean over = new AtomicBoolean();

    @Test
    @Timeout(value = 14, unit = TimeUnit.MINUTES) // for long runs
    @DisplayName("PART-3, PART-39: no message is lost, and a message is received again only after its lock was lost")
    void nothingIsLost() throws Exception {
        String queue = broker.queue(
                q -> q.enablePartitioning(true).lockDurationMs(5_000).maxDeliveryCount(1_000));
        try (Sdk sdk = new Sdk(clientBuilder(Duration.ofSeconds(10)))) {
            List<ServiceBusProcessorClient> processors = List.of(processor(sdk, queue), processor(sdk, queue));
            processors.forEach(ServiceBusProcessorClient::start);
            List<CompletableFuture<Void>> senders = new ArrayList<>();
            for (int i = 0; i < SENDERS; i++) {
                senders.add(sending(sdk, queue, i));
            }
            Random random = new Random(SEED);
            long end = System.nanoTime() + TIME.toNanos();
            int outages = 0;
            long latest = end + PATIENCE.toNanos();
            while (System.nanoTime() < end || sent.size() <= SENT_MIN && System.nanoTime() < latest) {
                int store = random.nextInt(STORES);
                broker.stopStore(store);
                work(random.nextInt(400));
                broker.startStore(store);
                work(random.nextInt(300));
                outages++;
            }
            over.set(true);
            for (CompletableFuture<Void> sender : senders) {
                sender.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
            Await.until("an empty queue", PATIENCE, () -> broker.counts(queue).total() == 0);
            assertThat(outages).isPositive();
        }
        String repeat = "-Djitney.conformance.outageSeed=" + SEED;
        assertThat(sent).as(repeat).hasSizeGreaterThan(SENT_MIN);
        assertThat(seen.keySet()).as("no lost messages, " + repeat).containsAll(sent);
        assertThat(seen.keySet())
                .as("no unknown messages, " + repeat)
                .allMatch(id -> sent.contains(id) || unknown.contains(id));
        assertThat(completed)
                .as("no delivery after a completion, " + repeat)
                .allSatisfy((id, times) -> assertThat(times).hasValue(1));
        assertThat(broker.counts(queue).deadLetter()).isZero();
    }

    /** Waits while the clients work. */
    private static void work(int millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50 + millis));
    }

    /**
     * Returns a builder for clients that try once. A completion is rejected if its store was stopped. The SDK repeats
     * it for a delivery that is settled by then, gets no reply, and blocks its handler until the timeout.
     */
    private static ServiceBusClientBuilder clientBuilder(Duration tryTimeout) {
        return TestBroker.clientBuilder(broker.lastingConnectionString())
                .retryOptions(new AmqpRetryOptions()
                        .setMode(AmqpRetryMode.FIXED)
                        .setMaxRetries(0)
                        .setTryTimeout(tryTimeout));
    }

    /** Sends messages, half of them with keys. A failed send may have stored its message. */
    private CompletableFuture<Void> sending(Sdk sdk, String queue, int number) {
        ServiceBusSenderClient sender = sdk.keep(
                clientBuilder(Duration.ofSeconds(20)).sender().queueName(queue).buildClient());
        return CompletableFuture.runAsync(() -> {
            for (int i = 0; !over.get(); i++) {
                String id = number + "-" + i;
                ServiceBusMessage message = new ServiceBusMessage(id).setMessageId(id);
                if (i % 2 == 0) {
                    message.setPartitionKey("key-" + i % 50);
                }
                try {
                    sender.sendMessage(message);
                    sent.add(id);
                } catch (RuntimeException e) {
                    unknown.add(id);
                }
            }
        });
    }

    private ServiceBusProcessorClient processor(Sdk sdk, String queue) {
        return sdk.keep(sdk.builder()
                .processor()
                .queueName(queue)
                .maxConcurrentCalls(4)
                .disableAutoComplete()
                .processMessage(context -> {
                    String id = context.getMessage().getMessageId();
                    seen.computeIfAbsent(id, none -> new AtomicInteger()).incrementAndGet();
                    context.complete();
                    completed.computeIfAbsent(id, none -> new AtomicInteger()).incrementAndGet();
                })
                .processError(context -> {})
                .buildProcessorClient());
    }
}
