package dev.jitney.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Namespaces of one broker, with the official SDK. */
@Timeout(180)
class JitneyTest {
    private static JitneyBroker broker;

    @BeforeAll
    static void start() {
        broker = JitneyBroker.builder()
                .queue("orders", q -> q.lockDuration(Duration.ofSeconds(30)).maxDeliveryCount(3))
                .topic(
                        "drinks",
                        t -> t.subscription("large", s -> s.sql("cups > 2", "SET priority = 'high'"))
                                .subscription("tea", s -> s.correlation(c -> c.subject("tea")))
                                .subscription("all"))
                .start();
    }

    @AfterAll
    static void close() {
        broker.close();
    }

    @Test
    @DisplayName("The SDK receives a message of the kit with its properties and its types")
    void kitToSdk() {
        try (Jitney jitney = broker.newNamespace();
                ServiceBusReceiverClient receiver = receiver(jitney)) {
            UUID id = UUID.randomUUID();
            Instant time = Instant.parse("2026-11-28T03:00:00Z");
            String messageId = jitney.queue("orders")
                    .send(
                            "{\"id\":7}",
                            m -> m.property("customer", "c2")
                                    .property("amount", 7)
                                    .property("total", 8L)
                                    .property("price", 1.5)
                                    .property("paid", true)
                                    .property("trace", id)
                                    .property("at", time)
                                    .subject("order")
                                    .contentType("application/json")
                                    .correlationId("c-1")
                                    .timeToLive(Duration.ofMinutes(3)));

            ServiceBusReceivedMessage received = only(receiver);

            assertThat(received.getBody().toString()).isEqualTo("{\"id\":7}");
            assertThat(received.getMessageId()).isEqualTo(messageId);
            assertThat(received.getSubject()).isEqualTo("order");
            assertThat(received.getContentType()).isEqualTo("application/json");
            assertThat(received.getCorrelationId()).isEqualTo("c-1");
            assertThat(received.getTimeToLive()).isEqualTo(Duration.ofMinutes(3));
            assertThat(received.getApplicationProperties())
                    .containsEntry("customer", "c2")
                    .containsEntry("amount", 7)
                    .containsEntry("total", 8L)
                    .containsEntry("price", 1.5)
                    .containsEntry("paid", true)
                    .containsEntry("trace", id)
                    .containsKey("at");
            receiver.complete(received);
            jitney.awaitIdle();
            jitney.queue("orders").assertEmpty();
        }
    }

    @Test
    @DisplayName("The kit reads a message of the SDK with its properties, its types and a large body")
    void sdkToKit() {
        try (Jitney jitney = broker.newNamespace();
                ServiceBusSenderClient sender = sender(jitney, "orders")) {
            String large = "x".repeat(10_000) + "ü";
            ServiceBusMessage message =
                    new ServiceBusMessage(large).setMessageId("m-1").setSubject("order");
            message.getApplicationProperties().put("amount", 7);
            message.getApplicationProperties().put("total", 8L);
            message.getApplicationProperties().put("customer", "c2");
            sender.sendMessage(message);
            sender.sendMessage(new ServiceBusMessage(new byte[] {0, (byte) 0xff}));

            assertThat(jitney.queue("orders").messages())
                    .satisfiesExactly(
                            first -> {
                                assertThat(first.body()).isEqualTo(large);
                                assertThat(first.messageId()).isEqualTo("m-1");
                                assertThat(first.subject()).isEqualTo("order");
                                assertThat(first.state()).isEqualTo(MessageState.ACTIVE);
                                assertThat(first.properties())
                                        .containsEntry("amount", 7)
                                        .containsEntry("total", 8L)
                                        .containsEntry("customer", "c2");
                                assertThat(first.enqueuedTime()).isNotNull();
                            },
                            second -> assertThat(second.bodyBytes()).containsExactly(0, 0xff));
            assertThat(jitney.queue("orders").counts().active()).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("A binary body of the kit arrives byte for byte")
    void binary() {
        try (Jitney jitney = broker.newNamespace();
                ServiceBusReceiverClient receiver = receiver(jitney)) {
            jitney.queue("orders").send(new byte[] {0, (byte) 0xff, 1});

            assertThat(only(receiver).getBody().toBytes()).containsExactly(0, 0xff, 1);
        }
    }

    @Test
    @DisplayName("Namespaces of one broker have the same entities and no common messages, and end with their messages")
    void isolation() {
        Jitney first = broker.newNamespace();
        Jitney second = broker.newNamespace();
        try (first;
                second;
                ServiceBusReceiverClient receiver = receiver(first)) {
            second.queue("orders").send("for the second");
            first.queue("orders").send("for the first");

            assertThat(only(receiver).getBody().toString()).isEqualTo("for the first");
            second.queue("orders").assertHas(1);
            assertThat(first.name()).isNotEqualTo(second.name());
        }
        assertThatThrownBy(() -> first.queue("orders").counts())
                .isInstanceOf(JitneyException.class)
                .hasMessageContaining("queue 'orders': counts(): The broker answered 401");
    }

    @Test
    @DisplayName("Subscriptions get the messages that their rules select, with the changes of actions")
    void rules() {
        try (Jitney jitney = broker.newNamespace()) {
            jitney.topic("drinks").send("latte", m -> m.property("cups", 3));
            jitney.topic("drinks").send("green", m -> m.property("cups", 1).subject("tea"));
            jitney.awaitIdle();

            jitney.subscription("drinks", "all").assertHas(2);
            jitney.subscription("drinks", "tea").assertContains("green");
            assertThat(jitney.subscription("drinks", "large").messages())
                    .singleElement()
                    .satisfies(message -> {
                        assertThat(message.body()).isEqualTo("latte");
                        assertThat(message.properties()).containsEntry("priority", "high");
                    });
        }
    }

    @Test
    @DisplayName("A reset removes messages in all states and keeps entities")
    void reset() {
        try (Jitney jitney = broker.newNamespace();
                ServiceBusReceiverClient receiver = receiver(jitney)) {
            jitney.queue("orders").send("locked");
            only(receiver);
            jitney.queue("orders").send("active");
            jitney.queue("orders")
                    .send("later", m -> m.scheduledAt(Instant.now().plusSeconds(3600)));
            assertThat(jitney.queue("orders").scheduled()).hasSize(1);

            assertThat(jitney.reset()).isEqualTo(3);

            jitney.queue("orders").assertEmpty();
            assertThat(jitney.queue("orders").scheduled()).isEmpty();
            jitney.queue("orders").send("next");
            assertThat(only(receiver).getBody().toString()).isEqualTo("next");
        }
    }

    @Test
    @DisplayName("Messages are dead-lettered after the deliveries that the queue permits, and the assertion knows why")
    void deadLetters() {
        try (Jitney jitney = broker.newNamespace();
                ServiceBusReceiverClient receiver = receiver(jitney)) {
            jitney.queue("orders").send("poison", m -> m.messageId("p"));
            for (int i = 0; i < 3; i++) {
                receiver.abandon(only(receiver));
            }
            jitney.awaitIdle();

            jitney.queue("orders").assertDeadLettered("p", "MaxDeliveryCountExceeded");
            assertThat(jitney.queue("orders").deadLetters())
                    .singleElement()
                    .satisfies(d -> assertThat(d.reason()).isEqualTo("MaxDeliveryCountExceeded"));
            assertThatThrownBy(() -> jitney.queue("orders").assertNoDeadLetters())
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("Expected no dead letters of queue 'orders', but it has 1.")
                    .hasMessageContaining("dead letter #1 'p'");
            assertThatThrownBy(() -> jitney.queue("orders").assertDeadLettered("p", "Other"))
                    .hasMessageContaining("with the reason Other, but the reason is MaxDeliveryCountExceeded.");
        }
    }

    static ServiceBusSenderClient sender(Jitney jitney, String queue) {
        return new ServiceBusClientBuilder()
                .connectionString(jitney.connectionString())
                .sender()
                .queueName(queue)
                .buildClient();
    }

    static ServiceBusReceiverClient receiver(Jitney jitney) {
        return new ServiceBusClientBuilder()
                .connectionString(jitney.connectionString())
                .receiver()
                .queueName("orders")
                .disableAutoComplete()
                .buildClient();
    }

    static ServiceBusReceivedMessage only(ServiceBusReceiverClient receiver) {
        // It is long because it includes the start of the first client, which takes long on a busy machine.
        return receiver.receiveMessages(1, Duration.ofSeconds(60)).stream()
                .findFirst()
                .orElseThrow();
    }
}
