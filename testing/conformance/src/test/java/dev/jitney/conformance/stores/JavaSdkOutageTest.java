package dev.jitney.conformance.stores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.amqp.AmqpRetryMode;
import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.amqp.exception.AmqpException;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.OrdinaryOnly;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("PART-55: one of two stores is unavailable for some time, with clients of the official SDK")
@OrdinaryOnly("PART-3, PART-39: an entity of many stores does not stop with one")
class JavaSdkOutageTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.tickingWithStores(2);

    /** The timeout of clients, too: requests without a reply in this time are repeated and would be stored twice. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final List<String> ALL = Stream.concat(
                    IntStream.range(0, 10).mapToObj(i -> "before-" + i), Stream.of("after"))
            .toList();

    private final Sdk sdk = new Sdk(TestBroker.clientBuilder(broker.lastingConnectionString())
            .retryOptions(new AmqpRetryOptions()
                    .setMode(AmqpRetryMode.FIXED)
                    .setDelay(Duration.ofMillis(100))
                    .setMaxRetries(3)
                    .setTryTimeout(PATIENCE)));
    private ServiceBusSenderClient toDown;
    private ServiceBusSenderClient toUp;
    private String up;
    private String down;

    /** Creates a queue in each store, with working clients. */
    @BeforeEach
    void open() {
        List<String> queues = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            queues.add(broker.queue());
        }
        broker.stopStore(1);
        up = queues.stream().filter(broker::isAvailable).findFirst().orElseThrow();
        down = queues.stream()
                .filter(queue -> !broker.isAvailable(queue))
                .findFirst()
                .orElseThrow();
        broker.startStore(1);
        toDown = sdk.sender(down);
        toUp = sdk.sender(up);
        for (int i = 0; i < 10; i++) {
            toDown.sendMessage(new ServiceBusMessage("before-" + i));
        }
    }

    @AfterEach
    void close() throws Exception {
        sdk.close();
    }

    private CompletableFuture<Void> sending(String text) {
        return CompletableFuture.runAsync(() -> toDown.sendMessage(new ServiceBusMessage(text)));
    }

    /** Checks that the clients of the other queue continue, and that health reports the outage. */
    private void assertOnlyItsQueuesSuffer() {
        for (int i = 0; i < 10; i++) {
            toUp.sendMessage(new ServiceBusMessage("up-" + i));
        }
        assertThat(broker.counts(up).active()).isEqualTo(10);
        assertThat(broker.isAvailable(down)).isFalse();
        assertThat(broker.isAvailable(up)).isTrue();
        assertThat(broker.trouble()).contains("Messaging store 1").doesNotContain("Messaging store 0");
        assertThat(page("/health")).contains("unhealthy", "Messaging store 1");
        assertThat(page("/metrics"))
                .contains("jitney_store_serving{shard=\"0\"} 1")
                .contains("jitney_store_serving{shard=\"1\"} 0");
    }

    @Test
    @DisplayName("an operator stops a store: sends to it fail immediately, with an error that SDKs retry")
    void stoppedAndStarted() {
        AmqpRetryOptions once = new AmqpRetryOptions().setMaxRetries(0).setTryTimeout(PATIENCE);
        ServiceBusSenderClient impatient = sdk.keep(TestBroker.clientBuilder(broker.lastingConnectionString())
                .retryOptions(once)
                .sender()
                .queueName(down)
                .buildClient());
        broker.stopStore(1);
        assertThatThrownBy(() -> impatient.sendMessage(new ServiceBusMessage("lost")))
                .satisfies(e -> assertThat(busy(e)).isNotNull().hasMessageContaining("Messaging store 1"));
        assertOnlyItsQueuesSuffer();
        broker.startStore(1);
        impatient.sendMessage(new ServiceBusMessage("after"));
        List<String> received = new ArrayList<>();
        ServiceBusReceiverClient receiver = sdk.receiver(down);
        while (received.size() < ALL.size()) {
            ServiceBusReceivedMessage message = Sdk.next(receiver);
            received.add(message.getBody().toString());
            receiver.complete(message);
        }
        assertThat(received).isEqualTo(ALL);
        assertThat(broker.counts(down).total()).isZero();
        assertThat(page("/health")).contains("\"healthy\"");
    }

    /** Returns the rejection that made the SDK retry. */
    private static @Nullable AmqpException busy(Throwable thrown) {
        for (Throwable e = thrown; e != null; e = e.getCause()) {
            if (e instanceof AmqpException amqp
                    && amqp.getErrorCondition() == AmqpErrorCondition.SERVER_BUSY_ERROR
                    && amqp.isTransient()) {
                return amqp;
            }
        }
        return null;
    }

    @Test
    @DisplayName(
            "a store's directory is removed: sends and processors continue without help once it is available again")
    void directoryGone() throws IOException {
        Queue<String> received = new ConcurrentLinkedQueue<>();
        sdk.keep(sdk.builder()
                        .processor()
                        .queueName(down)
                        .processMessage(context ->
                                received.add(context.getMessage().getBody().toString()))
                        .processError(context -> {})
                        .buildProcessorClient())
                .start();
        Await.until("the first messages", () -> broker.counts(down).total() == 0);
        Path here = broker.dataDir().resolve("store-1");
        Path away = broker.dataDir().resolve("away");
        Files.move(here, away);
        Await.until("the health check reports the outage", () -> broker.trouble() != null);
        CompletableFuture<Void> patient = sending("after");
        assertOnlyItsQueuesSuffer();
        assertThat(here).doesNotExist();
        assertThat(patient).isNotDone();
        Files.move(away, here);
        Await.until("the store works again", () -> broker.trouble() == null);
        patient.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        Await.until("the last message", () -> broker.counts(down).total() == 0);
        assertThat(received).containsExactlyElementsOf(ALL);
    }

    private static String page(String path) {
        try {
            HttpResponse<String> page = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + broker.httpPort() + path))
                                    .build(),
                            BodyHandlers.ofString());
            return page.body();
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
