package dev.jitney.conformance.http;

import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.amqp.models.AmqpMessageBody;
import com.azure.core.amqp.models.AmqpMessageBodyType;
import com.azure.core.amqp.models.AmqpMessageProperties;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class HttpMessagingTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.ticking();

    private Sdk sdk;
    private HttpCalls http;
    private String queue;

    @BeforeEach
    void open() {
        sdk = broker.sdk();
        http = new HttpCalls(broker);
        queue = broker.queue();
    }

    @AfterEach
    void close() throws Exception {
        sdk.close();
    }

    @Test
    @DisplayName(
            "HTTP checklist 78: a queue with sessions accepts messages with a session, and can be received from over AMQP only")
    void sessions() {
        String ordered = broker.queue(q -> q.requiresSession(true));
        assertThat(http.send(ordered, "m", "BrokerProperties", "{\"SessionId\":\"s\"}")
                        .statusCode())
                .isEqualTo(201);
        assertThat(http.send(ordered, "none").statusCode()).isEqualTo(400);
        assertThat(http.lock(ordered, 0).statusCode()).isEqualTo(400);
        assertThat(http.remove(ordered, 0).statusCode()).isEqualTo(400);
        assertThat(http.remove(ordered + "/$DeadLetterQueue", 0).statusCode())
                .as("DLQ-28")
                .isEqualTo(204);
        ServiceBusReceiverClient holder = sdk.keep(
                sdk.keep(sdk.builder().sessionReceiver().queueName(ordered).buildClient())
                        .acceptNextSession());
        assertThat(holder.getSessionId()).isEqualTo("s");
        assertThat(Sdk.next(holder).getBody()).hasToString("m");
    }

    @Test
    @DisplayName("HTTP 3.2, 71: the SDK receives every property of the broker that was sent over HTTP")
    void brokerPropertiesToAmqp() {
        HttpResponse<String> sent = http.send(
                queue,
                "order 1",
                "Content-Type",
                "application/json",
                "BrokerProperties",
                "{\"MessageId\":\"m\",\"CorrelationId\":\"c\",\"SessionId\":\"s\",\"PartitionKey\":\"s\",\"Label\":\"l\","
                        + "\"To\":\"t\",\"ReplyTo\":\"r\",\"ReplyToSessionId\":\"rs\",\"TimeToLive\":420.5}");
        assertThat(sent.statusCode()).isEqualTo(201);
        ServiceBusReceivedMessage received = next(sdk.deletingReceiver(queue));
        assertThat(received.getBody().toString()).isEqualTo("order 1");
        assertThat(received.getRawAmqpMessage().getBody().getBodyType()).isEqualTo(AmqpMessageBodyType.DATA);
        assertThat(received.getContentType()).isEqualTo("application/json");
        assertThat(received.getMessageId()).isEqualTo("m");
        assertThat(received.getCorrelationId()).isEqualTo("c");
        assertThat(received.getSessionId()).isEqualTo("s");
        assertThat(received.getPartitionKey()).isEqualTo("s");
        assertThat(received.getSubject()).isEqualTo("l");
        assertThat(received.getTo()).isEqualTo("t");
        assertThat(received.getReplyTo()).isEqualTo("r");
        assertThat(received.getReplyToSessionId()).isEqualTo("rs");
        assertThat(received.getTimeToLive()).isEqualTo(Duration.ofMillis(420_500));
    }

    @Test
    @DisplayName("HTTP 3.2: a time to live that exceeds the AMQP header arrives unchanged")
    void longTimeToLiveToAmqp() {
        http.send(queue, "x", "BrokerProperties", "{\"TimeToLive\":86400000}");
        // The SDK reads only the header, whose maximum is 49 days.
        AmqpMessageProperties received =
                next(sdk.deletingReceiver(queue)).getRawAmqpMessage().getProperties();
        assertThat(Duration.between(received.getCreationTime(), received.getAbsoluteExpiryTime()))
                .isEqualTo(Duration.ofDays(1_000));
    }

    @Test
    @DisplayName("HTTP 3.3, 75: properties arrive at the SDK with their types")
    void propertiesToAmqp() {
        http.send(
                queue,
                "x",
                "text",
                "\"a \\\"b\\\"\"",
                "when",
                "\"Sun, 06 Nov 1994 08:49:37 GMT\"",
                "yes",
                "true",
                "whole",
                "-7",
                "decimal",
                "2.5",
                "loose",
                "word");
        Map<String, Object> received = next(sdk.deletingReceiver(queue)).getApplicationProperties();
        assertThat(received)
                .containsOnly(
                        Map.entry("text", "a \"b\""),
                        Map.entry("when", Date.from(java.time.Instant.parse("1994-11-06T08:49:37Z"))),
                        Map.entry("yes", true),
                        Map.entry("whole", -7L),
                        Map.entry("decimal", 2.5),
                        Map.entry("loose", "word"));
    }

    @Test
    @DisplayName(
            "HTTP 3.2, 3.3, 75: messages of the SDK arrive over HTTP, with properties of every type in their format")
    void amqpToHttp() {
        UUID uuid = UUID.randomUUID();
        ServiceBusMessage message = new ServiceBusMessage("grüße")
                .setMessageId("m")
                .setSubject("L")
                .setContentType("text/plain; charset=utf-8")
                .setTimeToLive(Duration.ofSeconds(90))
                .setPartitionKey("p");
        Map<String, Object> properties = new HashMap<>(Map.of(
                "string",
                "say \"hi\"",
                "bool",
                false,
                "int",
                5,
                "long",
                Long.MAX_VALUE,
                "double",
                0.25,
                "float",
                1.5f,
                "uuid",
                uuid,
                "span",
                Duration.ofMillis(90_500),
                "uri",
                URI.create("https://example.org"),
                "moment",
                OffsetDateTime.now(ZoneOffset.UTC)));
        properties.put("when", Date.from(java.time.Instant.parse("1994-11-06T08:49:37Z")));
        message.getApplicationProperties().putAll(properties);
        sdk.send(queue, message);

        HttpResponse<String> got = http.remove(queue, 10);
        assertThat(got.statusCode()).isEqualTo(200);
        assertThat(got.body()).isEqualTo("grüße");
        assertThat(got.headers().firstValue("Content-Type")).hasValue("text/plain; charset=utf-8");
        assertThat(got.headers().firstValue("BrokerProperties").orElseThrow())
                .contains("\"MessageId\":\"m\"", "\"Label\":\"L\"", "\"PartitionKey\":\"p\"", "\"TimeToLive\":90}");
        Map<String, String> expected = Map.of(
                "string", "\"say \\\"hi\\\"\"",
                "bool", "false",
                "int", "5",
                "long", "9223372036854775807",
                "double", "0.25",
                "float", "1.5",
                "uuid", "\"" + uuid + "\"",
                "span", "90.5",
                "when", "\"Sun, 06 Nov 1994 08:49:37 GMT\"");
        expected.forEach((name, value) ->
                assertThat(got.headers().firstValue(name)).as(name).hasValue(value));
        assertThat(got.headers().firstValue("uri")).isEmpty();
        assertThat(got.headers().firstValue("moment")).isEmpty();
        // Other headers could be mistaken for properties if they had no quotes (HTTP 80).
        assertThat(got.headers().map().keySet())
                .containsOnly(
                        "string",
                        "bool",
                        "int",
                        "long",
                        "double",
                        "float",
                        "uuid",
                        "span",
                        "when",
                        "brokerproperties",
                        "content-type",
                        "transfer-encoding");
    }

    @Test
    @DisplayName("HTTP 3.1: value and sequence bodies of AMQP are text over HTTP")
    void bodiesOfAmqp() {
        Map<AmqpMessageBody, String> texts = Map.of(
                AmqpMessageBody.fromValue("text ü"), "text ü",
                AmqpMessageBody.fromValue(4711L), "4711",
                AmqpMessageBody.fromSequence(List.of(1, "b")), "[1,\"b\"]");
        texts.forEach((body, text) -> {
            sdk.send(queue, new ServiceBusMessage(body));
            assertThat(http.remove(queue, 10).body()).isEqualTo(text);
        });
    }

    @Test
    @DisplayName("HTTP 76: a batch arrives at the SDK as separate messages, all or none")
    void batches() {
        String batch = "application/vnd.microsoft.servicebus.json";
        assertThat(http.send(
                                queue,
                                "[{\"Body\":\"first\"},{\"Body\":\"second\",\"BrokerProperties\":{\"Label\":\"M2\","
                                        + "\"TimeToLiveTimeSpan\":\"0.00:00:40\"},\"UserProperties\":{\"Priority\":"
                                        + "\"High\",\"Count\":3}}]",
                                "Content-Type",
                                batch)
                        .statusCode())
                .isEqualTo(201);
        assertThat(http.send(queue, "[{\"Body\":\"third\"},{\"Body\":4}]", "Content-Type", batch)
                        .statusCode())
                .isEqualTo(400);
        ServiceBusReceiverClient receiver = sdk.deletingReceiver(queue);
        assertThat(next(receiver).getBody().toString()).isEqualTo("first");
        ServiceBusReceivedMessage second = next(receiver);
        assertThat(second.getBody().toString()).isEqualTo("second");
        assertThat(second.getSubject()).isEqualTo("M2");
        assertThat(second.getTimeToLive()).isEqualTo(Duration.ofSeconds(40));
        assertThat(second.getApplicationProperties())
                .containsOnly(Map.entry("Priority", "High"), Map.entry("Count", 3L));
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("HTTP 72: a receive over HTTP waits for a message of the SDK")
    void longPoll() throws Exception {
        CompletableFuture<HttpResponse<String>> waiting = http.startRemove(queue, 60);
        assertThat(http.remove(broker.queue(), 1).statusCode()).isEqualTo(204);
        assertThat(waiting).isNotDone();
        sdk.send(queue, "late");
        HttpResponse<String> got = waiting.get(60, TimeUnit.SECONDS);
        assertThat(got.statusCode()).isEqualTo(200);
        assertThat(got.body()).isEqualTo("late");
    }

    @Test
    @DisplayName(
            "HTTP 73: messages locked over HTTP are not delivered to the SDK, and can be renewed, unlocked with a count, and completed")
    void settles() {
        sdk.send(queue, "a");
        String location = http.lock(queue, 10).headers().firstValue("Location").orElseThrow();
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        broker.advance(Duration.ofSeconds(35)); // of a lock duration of one minute
        assertThat(http.renew(location)).isEqualTo(200);
        broker.advance(Duration.ofSeconds(35));
        assertThat(Sdk.none(receiver)).isEmpty();
        assertThat(http.unlock(location)).isEqualTo(200);
        ServiceBusReceivedMessage again = next(receiver);
        assertThat(again.getDeliveryCount()).isEqualTo(1);
        receiver.abandon(again);
        HttpResponse<String> third = http.lock(queue, 10);
        assertThat(third.headers().firstValue("BrokerProperties").orElseThrow()).contains("\"DeliveryCount\":3");
        assertThat(http.delete(location)).isEqualTo(404);
        String lastLocation = third.headers().firstValue("Location").orElseThrow();
        assertThat(http.delete(lastLocation)).isEqualTo(200);
        assertThat(http.delete(lastLocation)).isEqualTo(404);
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("HTTP 77: messages dead-lettered by the SDK are received over HTTP, with the reason")
    void deadLetters() {
        sdk.send(queue, "bad");
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        receiver.deadLetter(
                next(receiver),
                new DeadLetterOptions().setDeadLetterReason("why").setDeadLetterErrorDescription("because"));
        HttpResponse<String> dead = http.remove(queue + "/$DeadLetterQueue", 10);
        assertThat(dead.body()).isEqualTo("bad");
        assertThat(dead.headers().firstValue("DeadLetterReason")).hasValue("\"why\"");
        assertThat(dead.headers().firstValue("DeadLetterErrorDescription")).hasValue("\"because\"");
    }

    @Test
    @DisplayName("HTTP 3.2: a message scheduled over HTTP reaches the SDK at its time")
    void schedules() {
        OffsetDateTime due =
                broker.now().plusSeconds(600).atOffset(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS);
        String date = java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME.format(due);
        http.send(queue, "later", "BrokerProperties", "{\"ScheduledEnqueueTimeUtc\":\"" + date + "\"}");
        ServiceBusReceiverClient receiver = sdk.deletingReceiver(queue);
        assertThat(Sdk.none(receiver)).isEmpty();
        assertThat(broker.counts(queue).scheduled()).isEqualTo(1);
        broker.advance(Duration.ofSeconds(601));
        ServiceBusReceivedMessage received = next(receiver);
        assertThat(received.getBody().toString()).isEqualTo("later");
        assertThat(received.getScheduledEnqueueTime().toInstant()).isEqualTo(due.toInstant());
    }
}
