package dev.jitney.conformance.testmode;

import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.core.amqp.exception.AmqpException;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusProcessorClient;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.jitney.conformance.support.OrdinaryOnly;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.gateway.http.testmode.TestModeAccess;
import dev.jitney.server.JitneyServer;
import dev.jitney.server.StartException;
import dev.jitney.server.config.PlainPort;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A server in test mode, with clients of the official SDK")
@OrdinaryOnly("Test mode has its own namespaces")
class JavaSdkTestModeTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final String CONFIG = """
            {"Queues": [
               {"Name": "orders", "Properties": {"MaxDeliveryCount": 3, "LockDuration": "PT1M"}},
               {"Name": "trips", "Properties": {"RequiresSession": true}},
               {"Name": "once", "Properties": {"RequiresDuplicateDetection": true}}],
             "Topics": [{"Name": "drinks", "Properties": {}, "Subscriptions": [{"Name": "large", "Properties": {}, "Rules": [
               {"Name": "cups", "Properties": {"FilterType": "Sql", "SqlFilter": {"SqlExpression": "cups > 2"}}}]}]}]}
            """;

    private static JitneyServer server;
    private String namespace = "";
    private Sdk sdk;

    @BeforeAll
    static void start() throws StartException {
        server = JitneyServer.builder()
                .inMemory(true)
                .testMode(TestModeAccess.LOOPBACK)
                .plainAmqp(PlainPort.unasked(0))
                .plainHttp(PlainPort.unasked(0))
                .port(0)
                .build()
                .start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void create() throws Exception {
        JsonObject made = send("POST", "namespaces", new JsonObject().put("config", new JsonObject(CONFIG)), 201);
        namespace = made.getString("name");
        sdk = new Sdk(new ServiceBusClientBuilder()
                .connectionString(made.getString("connectionString"))
                .retryOptions(new AmqpRetryOptions()
                        .setTryTimeout(Duration.ofSeconds(20))
                        .setDelay(Duration.ofMillis(50))));
    }

    @AfterEach
    void delete() throws Exception {
        sdk.close();
        send("POST", "clock", new JsonObject().put("speed", 1), 200);
        send("DELETE", "namespaces/" + namespace, null, 204);
    }

    private static JsonObject send(String method, String path, JsonObject body, int status) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + server.httpPort() + "/$test/" + path))
                .header("Content-Type", "application/json")
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.encode()));
        try {
            HttpResponse<String> answer = HTTP.send(request.build(), BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
            return answer.body().isEmpty() ? new JsonObject() : new JsonObject(answer.body());
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private JsonObject post(String path, String json) throws IOException {
        return send("POST", path, new JsonObject(json).put("namespace", namespace), 200);
    }

    private static JsonObject clock(String json) throws IOException {
        return send("POST", "clock", new JsonObject(json), 200);
    }

    private List<String> events(String entity, String id) throws IOException {
        JsonArray events = send("GET", "history?namespace=" + namespace + "&entity=" + entity, null, 200)
                .getJsonArray("events");
        return events.stream()
                .map(JsonObject.class::cast)
                .filter(event -> id.equals(event.getString("messageId")))
                .map(event -> event.getString("event"))
                .toList();
    }

    @Test
    @DisplayName(
            "An advance ends locks and leaves connections, tokens and receivers alone, although it is longer than a token lasts")
    void advance() throws Exception {
        sdk.send("orders", "a");
        ServiceBusReceiverClient receiver = sdk.receiver("orders");
        ServiceBusReceivedMessage locked = next(receiver);

        JsonObject clock = clock("{\"advance\": \"PT59M\"}");

        assertThat(Instant.parse(clock.getString("now"))).isAfter(Instant.now().plus(Duration.ofMinutes(58)));
        Sdk.assertFails(ServiceBusFailureReason.MESSAGE_LOCK_LOST, () -> receiver.complete(locked));
        ServiceBusReceivedMessage again = next(receiver);
        assertThat(again.getDeliveryCount()).isEqualTo(1);
        receiver.complete(again);
        for (int i = 0; i < 5; i++) {
            clock("{\"advance\": \"PT50M\"}");
            sdk.send("orders", "b" + i);
            ServiceBusReceivedMessage next = next(receiver);
            assertThat(next.getMessageId()).isEqualTo("b" + i);
            receiver.complete(next);
        }
        assertThat(events("orders", "a"))
                .containsExactly("enqueued", "delivered", "lock-expired", "delivered", "completed");
    }

    @Test
    @DisplayName(
            "Scheduled messages come when the time of messages reaches their time, also when it stood still before")
    void scheduled() throws Exception {
        Instant now = Instant.parse(clock("{\"speed\": 0}").getString("now"));
        try (ServiceBusSenderClient sender =
                sdk.builder().sender().queueName("orders").buildClient()) {
            sender.scheduleMessage(
                    new ServiceBusMessage("later").setMessageId("later"),
                    OffsetDateTime.ofInstant(now.plusSeconds(1), ZoneOffset.UTC));
        }
        ServiceBusReceiverClient receiver = sdk.receiver("orders");
        assertThat(Sdk.none(receiver)).isEmpty();
        clock("{\"advance\": \"PT1S\"}");
        assertThat(next(receiver).getBody()).hasToString("later");
        assertThat(events("orders", "later")).startsWith("scheduled", "enqueued", "delivered");
    }

    @Test
    @DisplayName("A reset empties everything, and the application continues with its connection")
    void reset() throws Exception {
        sdk.send("orders", "a");
        sdk.send("orders", "b");
        sdk.send("once", "id");
        ServiceBusReceiverClient receiver = sdk.receiver("orders");
        ServiceBusReceivedMessage locked = next(receiver);

        assertThat(post("reset", "{}").getInteger("messages")).isEqualTo(3);

        Sdk.assertFails(ServiceBusFailureReason.MESSAGE_LOCK_LOST, () -> receiver.complete(locked));
        sdk.send("orders", "c");
        assertThat(next(receiver).getMessageId()).isEqualTo("c");
        sdk.send("once", "id");
        assertThat(next(sdk.receiver("once")).getMessageId()).isEqualTo("id");
    }

    @Test
    @DisplayName("Lost locks are as if their time was over, until the message is dead-lettered")
    void loseLocks() throws Exception {
        sdk.send("orders", "a");
        ServiceBusReceiverClient receiver = sdk.receiver("orders");
        for (int i = 0; i < 3; i++) {
            ServiceBusReceivedMessage locked = next(receiver);
            assertThat(locked.getDeliveryCount()).isEqualTo(i);
            post("faults", "{\"fault\": \"loseLocks\", \"entity\": \"orders\"}");
            Sdk.assertFails(ServiceBusFailureReason.MESSAGE_LOCK_LOST, () -> receiver.complete(locked));
        }
        assertThat(next(sdk.deadLetterReceiver("orders")).getDeadLetterReason()).isEqualTo("MaxDeliveryCountExceeded");
    }

    @Test
    @DisplayName("A session receiver loses its session")
    void loseSession() throws Exception {
        sdk.send("trips", new ServiceBusMessage("m").setSessionId("s"));
        ServiceBusReceiverClient holder = sdk.keep(sdk.keep(sdk.builder()
                        .sessionReceiver()
                        .queueName("trips")
                        .maxAutoLockRenewDuration(Duration.ZERO)
                        .disableAutoComplete()
                        .buildClient())
                .acceptSession("s"));
        post("faults", "{\"fault\": \"loseLocks\", \"entity\": \"trips\"}");
        Sdk.assertFails(ServiceBusFailureReason.SESSION_LOCK_LOST, () -> holder.setSessionState(new byte[1]));
    }

    @Test
    @DisplayName("A duplicated delivery reaches a processor twice")
    void duplicate() throws Exception {
        BlockingQueue<Long> counts = new LinkedBlockingQueue<>();
        ServiceBusProcessorClient processor = sdk.keep(sdk.builder()
                .processor()
                .queueName("orders")
                .processMessage(context -> counts.add(context.getMessage().getDeliveryCount()))
                .processError(error -> {})
                .buildProcessorClient());
        post("faults", "{\"fault\": \"duplicateNextDelivery\", \"entity\": \"orders\"}");
        processor.start();
        sdk.send("orders", "a");
        assertThat(counts.poll(20, TimeUnit.SECONDS)).isZero();
        assertThat(counts.poll(20, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(post("idle", "{}").getBoolean("idle")).isTrue();
        assertThat(events("orders", "a"))
                .containsExactly("enqueued", "delivered", "lock-expired", "delivered", "completed");
    }

    @Test
    @DisplayName("A throttled namespace refuses sends until the throttling ends")
    void throttle() throws Exception {
        post("faults", "{\"fault\": \"throttle\", \"durationMs\": 3600000}");
        Sdk impatient = new Sdk(sdk.builder().retryOptions(new AmqpRetryOptions().setMaxRetries(0)));
        assertThatThrownBy(() -> impatient.send("orders", "a"))
                .hasRootCauseInstanceOf(AmqpException.class)
                .rootCause()
                .hasMessageContaining("is being throttled by a test");
        post("faults", "{\"fault\": \"clear\"}");
        impatient.send("orders", "b");
        assertThat(next(sdk.receiver("orders")).getMessageId()).isEqualTo("b");
    }

    @Test
    @DisplayName("A lost connection is opened again by the SDK, and no message is lost")
    void disconnect() throws Exception {
        ServiceBusSenderClient sender = sdk.sender("orders");
        sender.sendMessage(new ServiceBusMessage("a").setMessageId("a"));
        ServiceBusReceiverClient receiver = sdk.receiver("orders");
        receiver.complete(next(receiver));
        for (int i = 0; i < 3; i++) {
            post("faults", "{\"fault\": \"disconnect\"}");
            sender.sendMessage(new ServiceBusMessage("m").setMessageId("m" + i));
            ServiceBusReceivedMessage received = next(receiver);
            assertThat(received.getMessageId()).isEqualTo("m" + i);
            receiver.complete(received);
        }
    }

    @Test
    @DisplayName("A delayed namespace answers later, in the same order")
    void delay() throws Exception {
        ServiceBusSenderClient sender = sdk.sender("orders");
        sender.sendMessage(new ServiceBusMessage("warm").setMessageId("warm"));
        post("faults", "{\"fault\": \"delay\", \"delayMs\": 400}");
        long start = System.nanoTime();
        for (int i = 0; i < 3; i++) {
            sender.sendMessage(new ServiceBusMessage("m").setMessageId("m" + i));
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(1_200));
        post("faults", "{\"fault\": \"clear\"}");
        ServiceBusReceiverClient receiver = sdk.receiver("orders");
        for (String id : List.of("warm", "m0", "m1", "m2")) {
            assertThat(next(receiver).getMessageId()).isEqualTo(id);
        }
    }

    @Test
    @DisplayName("A stopped store refuses requests until it is started, and has its messages then")
    void stoppedStore() throws Exception {
        sdk.send("orders", "a");
        post("faults", "{\"fault\": \"stopStore\", \"store\": 0}");
        Sdk impatient = new Sdk(sdk.builder().retryOptions(new AmqpRetryOptions().setMaxRetries(0)));
        assertThatThrownBy(() -> impatient.send("orders", "b")).hasRootCauseInstanceOf(AmqpException.class);
        post("faults", "{\"fault\": \"startStore\", \"store\": 0}");
        assertThat(next(sdk.receiver("orders")).getMessageId()).isEqualTo("a");
    }

    @Test
    @DisplayName("The history names the subscription's message, and the message that no rule took")
    void unmatched() throws Exception {
        ServiceBusMessage small = new ServiceBusMessage("m").setMessageId("small");
        small.getApplicationProperties().put("cups", 1);
        ServiceBusMessage large = new ServiceBusMessage("m").setMessageId("large");
        large.getApplicationProperties().put("cups", 3);
        sdk.publish("drinks", small);
        sdk.publish("drinks", large);
        assertThat(events("drinks", "small")).containsExactly("unmatched");
        assertThat(events("drinks", "large")).containsExactly("published");
        assertThat(events("drinks/Subscriptions/large", "large")).containsExactly("enqueued");
    }

    @Test
    @DisplayName(
            "A namespace is idle once the application has settled its messages, and names what it waits for before")
    void idle() throws Exception {
        sdk.send("orders", "a");
        assertThat(post("idle", "{}").getBoolean("idle")).isTrue();
        ServiceBusReceiverClient receiver = sdk.receiver("orders");
        ServiceBusReceivedMessage locked = next(receiver);
        JsonObject busy = post("idle", "{\"timeoutMs\": 50}");
        assertThat(busy.getBoolean("idle")).isFalse();
        assertThat(busy.getJsonArray("reasons").getString(0)).isEqualTo("'orders': 1 message is locked by receivers.");
        receiver.complete(locked);
        assertThat(post("idle", "{}").getBoolean("idle")).isTrue();
    }
}
