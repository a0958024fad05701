package dev.jitney.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A broker for each test, because the time and the stores belong to the whole broker. */
@Timeout(180)
class ClockAndFaultsTest {
    private JitneyBroker broker;
    private Jitney jitney;

    @BeforeEach
    void start() {
        broker = JitneyBroker.builder()
                .queue("orders", q -> q.lockDuration(Duration.ofSeconds(30)).deadLetterOnExpiration())
                .start();
        jitney = broker.newNamespace();
    }

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    @DisplayName("Advanced time ends locks, enqueues scheduled messages and expires messages, before the call returns")
    void advance() {
        try (ServiceBusReceiverClient receiver = JitneyTest.receiver(jitney)) {
            jitney.queue("orders").send("locked");
            JitneyTest.only(receiver);
            Instant now = jitney.clock().now();
            jitney.queue("orders").send("later", m -> m.scheduledAt(now.plusSeconds(600)));
            jitney.queue("orders").send("short", m -> m.messageId("short").timeToLive(Duration.ofMinutes(1)));
            assertThat(jitney.queue("orders").messages().get(0).lockedUntil()).isNotNull();

            jitney.clock().advance(Duration.ofMinutes(11));

            assertThat(jitney.queue("orders").scheduled()).isEmpty();
            assertThat(jitney.queue("orders").messages())
                    .extracting(StoredMessage::body, StoredMessage::state)
                    .containsExactlyInAnyOrder(
                            tuple("locked", MessageState.ACTIVE), tuple("later", MessageState.ACTIVE));
            jitney.queue("orders").assertDeadLettered("short", "TTLExpiredException");
            assertThat(Duration.between(now, jitney.clock().now())).isGreaterThanOrEqualTo(Duration.ofMinutes(11));
        }
    }

    @Test
    @DisplayName("A receiver of the SDK continues after an hour was added to the time of messages")
    void tokens() {
        try (ServiceBusReceiverClient receiver = JitneyTest.receiver(jitney);
                ServiceBusSenderClient sender = JitneyTest.sender(jitney, "orders")) {
            sender.sendMessage(new ServiceBusMessage("before"));
            receiver.complete(JitneyTest.only(receiver));

            jitney.clock().advance(Duration.ofHours(2));

            sender.sendMessage(new ServiceBusMessage("after"));
            ServiceBusReceivedMessage after = JitneyTest.only(receiver);
            assertThat(after.getBody().toString()).isEqualTo("after");
            receiver.complete(after);
        }
    }

    @Test
    @DisplayName("A reset makes the stores available that the test has stopped")
    void resetAfterAStoppedStore() {
        jitney.queue("orders").send("a");
        jitney.faults().storeDown(0);
        assertThat(jitney.reset()).isEqualTo(1);
        jitney.queue("orders").send("b");
        jitney.queue("orders").assertHas(1);
    }

    @Test
    @DisplayName("Time stands still, runs faster, and a Java clock follows it")
    void speed() {
        Clock clock = jitney.clock().asJavaClock();
        jitney.clock().freeze();
        Instant frozen = clock.instant();
        assertThat(clock.instant()).isEqualTo(frozen);
        jitney.clock().advance(Duration.ofDays(1));
        assertThat(clock.instant()).isEqualTo(frozen.plus(Duration.ofDays(1)));

        jitney.clock().run(1000);
        jitney.queue("orders").send("soon", m -> m.scheduledAt(clock.instant().plusSeconds(20)));
        try (ServiceBusReceiverClient receiver = JitneyTest.receiver(jitney)) {
            assertThat(JitneyTest.only(receiver).getBody().toString()).isEqualTo("soon");
        }
        jitney.clock().run();
        assertThat(clock.instant()).isAfter(frozen.plus(Duration.ofDays(1)));
    }

    @Test
    @DisplayName("Steps and speeds that are not possible are refused")
    void refused() {
        assertThatThrownBy(() -> jitney.clock().advance(Duration.ofSeconds(-1)))
                .hasMessageContaining("time never runs backward");
        assertThatThrownBy(() -> jitney.clock().run(1001)).hasMessageContaining("from 0 to 1000");
        assertThatThrownBy(() -> jitney.clock().run(Double.NaN)).hasMessageContaining("from 0 to 1000");
    }

    @Test
    @DisplayName("A lost lock refuses the settlement, and the message is delivered again")
    void loseLocks() {
        try (ServiceBusReceiverClient receiver = JitneyTest.receiver(jitney)) {
            jitney.queue("orders").send("a");
            ServiceBusReceivedMessage first = JitneyTest.only(receiver);

            jitney.faults().loseLocks("orders");

            assertThatThrownBy(() -> receiver.complete(first))
                    .isInstanceOf(ServiceBusException.class)
                    .hasMessageContaining("lock");
            ServiceBusReceivedMessage second = JitneyTest.only(receiver);
            assertThat(second.getDeliveryCount()).isEqualTo(1);
            receiver.complete(second);
        }
    }

    @Test
    @DisplayName("A message is delivered twice")
    void duplicateNextDelivery() {
        try (ServiceBusReceiverClient receiver = JitneyTest.receiver(jitney)) {
            jitney.faults().duplicateNextDelivery("orders");
            jitney.queue("orders").send("a", m -> m.messageId("a"));

            assertThat(JitneyTest.only(receiver).getMessageId()).isEqualTo("a");
            assertThat(JitneyTest.only(receiver).getMessageId()).isEqualTo("a");
        }
    }

    @Test
    @DisplayName("Clients survive lost connections and delays")
    void disconnect() {
        try (ServiceBusReceiverClient receiver = JitneyTest.receiver(jitney);
                ServiceBusSenderClient sender = JitneyTest.sender(jitney, "orders")) {
            sender.sendMessage(new ServiceBusMessage("before"));
            jitney.faults().disconnect();
            jitney.faults().delay(Duration.ofMillis(50));
            sender.sendMessage(new ServiceBusMessage("after"));
            jitney.faults().clear();
            jitney.queue("orders").assertContains("after");
            assertThat(JitneyTest.only(receiver).getBody().toString()).isEqualTo("before");
        }
    }

    @Test
    @DisplayName("A store that is down refuses requests with the fix, and has its messages when it is up again")
    void store() {
        jitney.queue("orders").send("kept");
        jitney.faults().storeDown(0);
        assertThatThrownBy(() -> jitney.queue("orders").send("refused"))
                .isInstanceOf(JitneyException.class)
                .hasMessageContaining("queue 'orders': send(): The broker answered 503")
                .hasMessageContaining("faults().storeUp()");
        jitney.faults().storeUp(0);
        jitney.queue("orders").assertContains("kept");
    }

    @Test
    @DisplayName("A store that a test has left down is up again when its namespace has ended")
    void storeLeftDown() {
        Jitney other = broker.newNamespace();
        jitney.faults().storeDown(0);
        assertThatThrownBy(() -> other.queue("orders").send("refused")).isInstanceOf(JitneyException.class);

        jitney.close();

        other.queue("orders").send("accepted");
        other.queue("orders").assertHas(1);
    }

    @Test
    @DisplayName("awaitEmpty waits for a receiver that connects later, and lists the messages if none does")
    void awaitEmpty() throws Exception {
        jitney.queue("orders").send("a", m -> m.messageId("a"));
        assertThatThrownBy(() -> jitney.queue("orders").awaitEmpty(Duration.ofMillis(50)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Expected no message in queue 'orders', but it has 1.")
                .hasMessageContaining("#1 'a' ACTIVE: a");
        CompletableFuture<Void> later = CompletableFuture.runAsync(() -> {
            try (ServiceBusReceiverClient receiver = JitneyTest.receiver(jitney)) {
                receiver.complete(JitneyTest.only(receiver));
            }
        });

        // The start of the client takes long on a busy machine, longer than the wait without an argument.
        jitney.queue("orders").awaitEmpty(Duration.ofSeconds(60));

        later.get();
        jitney.queue("orders").awaitEmpty();
        assertThat(jitney.queue("orders").history())
                .extracting(HistoryEvent::event)
                .contains("completed");
    }

    @Test
    @DisplayName("awaitIdle says what it waits for")
    void idle() {
        jitney.awaitIdle();
        try (ServiceBusReceiverClient receiver = JitneyTest.receiver(jitney)) {
            jitney.queue("orders").send("a");
            ServiceBusReceivedMessage locked = JitneyTest.only(receiver);
            assertThatThrownBy(() -> jitney.awaitIdle(Duration.ofMillis(50)))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("to be idle within 50 ms, but it is not: ")
                    .hasMessageContaining("'orders'");
            receiver.complete(locked);
            jitney.awaitIdle();
        }
    }
}
