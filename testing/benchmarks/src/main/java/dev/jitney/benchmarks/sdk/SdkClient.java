package dev.jitney.benchmarks.sdk;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusMessageBatch;
import com.azure.messaging.servicebus.ServiceBusProcessorClient;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderAsyncClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.process.ProcessCost;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** The ways in which applications use the official Java SDK, with its default options except where a method says so. */
final class SdkClient {
    private static final long PATIENCE_SECONDS = 600;
    private static final int BATCH = 100;

    private final Endpoint endpoint;
    private final String queue;
    private final byte[] body;
    private final Map<String, Object> properties;
    private final ProcessCost server;
    private final ProcessCost self = new ProcessCost(ProcessHandle.current().pid());

    /**
     * @param server the process of the server
     * @param sizeBytes the size of each body
     * @param properties application properties of each message
     */
    SdkClient(Endpoint endpoint, String queue, ProcessCost server, int sizeBytes, Map<String, Object> properties) {
        this.endpoint = endpoint;
        this.queue = queue;
        this.server = server;
        this.body = new byte[sizeBytes];
        this.properties = Map.copyOf(properties);
    }

    /** Sends one message after the other, each when the last one is accepted. */
    SdkFigure sendOneAfterTheOther(int count) {
        try (ServiceBusSenderClient sender = builder().sender().queueName(queue).buildClient()) {
            sender.sendMessage(message());
            Meter meter = new Meter();
            for (int i = 0; i < count; i++) {
                sender.sendMessage(message());
            }
            return meter.figure(count);
        }
    }

    /** Sends batches of a hundred messages, one batch after the other. */
    SdkFigure sendBatches(int count) {
        try (ServiceBusSenderClient sender = builder().sender().queueName(queue).buildClient()) {
            sender.sendMessage(message());
            Meter meter = new Meter();
            for (int sent = 0; sent < count; ) {
                ServiceBusMessageBatch batch = sender.createMessageBatch();
                while (sent < count && batch.getCount() < BATCH && batch.tryAddMessage(message())) {
                    sent++;
                }
                sender.sendMessages(batch);
            }
            return meter.figure(count);
        }
    }

    /**
     * Sends without waiting for each message.
     *
     * @param atOnce the number of messages that are not accepted yet
     */
    SdkFigure sendAsynchronously(int count, int atOnce) {
        try (ServiceBusSenderAsyncClient sender =
                builder().sender().queueName(queue).buildAsyncClient()) {
            sender.sendMessage(message()).block();
            Meter meter = new Meter();
            Flux.range(0, count)
                    .flatMap(i -> sender.sendMessage(message()), atOnce)
                    .blockLast(Duration.ofSeconds(PATIENCE_SECONDS));
            return meter.figure(count);
        }
    }

    /**
     * Receives with a processor that completes each message after its handler, which does nothing.
     *
     * @param calls the number of handlers that may run at the same time
     * @param prefetch the number of messages that the SDK requests in advance
     * @throws IOException if the processor reports an error or does not receive all messages
     */
    SdkFigure process(int count, int calls, int prefetch) throws IOException, InterruptedException {
        CountDownLatch all = new CountDownLatch(count);
        AtomicLong begun = new AtomicLong();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        AtomicReference<@Nullable Meter> meter = new AtomicReference<>();
        // The first tenth is not measured: connecting, and code that Java has not compiled yet.
        int first = Math.max(1, count / 10);
        ServiceBusProcessorClient processor = builder()
                .processor()
                .queueName(queue)
                .maxConcurrentCalls(calls)
                .prefetchCount(prefetch)
                .processMessage(context -> {
                    if (begun.incrementAndGet() == first) {
                        meter.set(new Meter());
                    }
                    all.countDown();
                })
                .processError(context -> failure.compareAndSet(null, context.getException()))
                .buildProcessorClient();
        try {
            processor.start();
            if (!all.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("Expected " + count + " messages within " + PATIENCE_SECONDS + " s, but "
                        + all.getCount() + " are missing. The processor reported " + failure.get());
            }
            // Before the processor closes, which takes time, and which fails completions that are on their way.
            Throwable failed = failure.get();
            if (failed != null) {
                throw new IOException("The processor reported " + failed, failed);
            }
            return Objects.requireNonNull(meter.get()).figure(count - first);
        } finally {
            processor.close();
        }
    }

    /** Receives with calls of {@code receiveMessages(100)}, and completes one message after the other. */
    SdkFigure receiveBatches(int count) throws IOException {
        try (ServiceBusReceiverClient receiver =
                builder().receiver().queueName(queue).disableAutoComplete().buildClient()) {
            Meter meter = new Meter();
            int received = 0;
            while (received < count) {
                int before = received;
                for (ServiceBusReceivedMessage message :
                        receiver.receiveMessages(Math.min(BATCH, count - received), Duration.ofSeconds(10))) {
                    receiver.complete(message);
                    received++;
                }
                if (received == before) {
                    throw new IOException("Expected " + count + " messages, but got " + received);
                }
            }
            return meter.figure(count);
        }
    }

    private ServiceBusClientBuilder builder() {
        return new ServiceBusClientBuilder()
                .connectionString("Endpoint=sb://" + endpoint.host() + ":" + endpoint.port() + ";SharedAccessKeyName="
                        + endpoint.ruleName() + ";SharedAccessKey=" + endpoint.key() + ";UseDevelopmentEmulator=true");
    }

    private ServiceBusMessage message() {
        ServiceBusMessage message = new ServiceBusMessage(body);
        message.getApplicationProperties().putAll(properties);
        return message;
    }

    /** Time and processor time from its creation on. */
    private final class Meter {
        private final long start = System.nanoTime();
        private final long client = self.cpuNanos();
        private final long served = server.cpuNanos();

        SdkFigure figure(int count) {
            double seconds = (System.nanoTime() - start) / 1e9;
            return new SdkFigure(
                    count / seconds,
                    (self.cpuNanos() - client) / 1e3 / count,
                    (server.cpuNanos() - served) / 1e3 / count);
        }
    }
}
