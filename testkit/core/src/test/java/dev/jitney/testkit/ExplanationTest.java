package dev.jitney.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The texts of failed assertions. */
@Timeout(60)
class ExplanationTest {
    private static JitneyBroker broker;
    private Jitney jitney;

    @BeforeAll
    static void start() {
        broker = JitneyBroker.builder()
                .queue("orders", q -> q.maxDeliveryCount(1).duplicateDetection(Duration.ofMinutes(1)))
                .topic(
                        "drinks",
                        t -> t.subscription("large", s -> s.sql("cups > 2")).subscription("all"))
                .start();
    }

    @AfterAll
    static void close() {
        broker.close();
    }

    @BeforeEach
    void namespace() {
        jitney = broker.newNamespace();
    }

    @AfterEach
    void drop() {
        jitney.close();
    }

    @Test
    @DisplayName("A wrong number of messages lists the messages, and the events of the entity")
    void count() {
        jitney.queue("orders").send("first", m -> m.messageId("a").property("color", "red"));
        jitney.queue("orders")
                .send("second", m -> m.messageId("b").scheduledAt(Instant.now().plusSeconds(3600)));

        assertThat(failure(() -> jitney.queue("orders").assertHas(3)))
                .contains("Expected 3 messages in queue 'orders', but it has 1.")
                .contains("It has 1 active (0 of them locked, 0 deferred), 1 scheduled, 0 dead letters.")
                .contains("#1 'a' ACTIVE, {color=red}: first")
                .contains("'b' SCHEDULED for ")
                .contains("orders: enqueued #1 'a'")
                .contains("orders: scheduled");
    }

    @Test
    @DisplayName("A missing message is found among dead letters, with the reason")
    void deadLetter() {
        jitney.queue("orders").send("poison", m -> m.messageId("p"));
        try (ServiceBusReceiverClient receiver = JitneyTest.receiver(jitney)) {
            receiver.abandon(JitneyTest.only(receiver));
        }
        jitney.awaitIdle();

        assertThat(failure(() -> jitney.queue("orders").assertContains("poison")))
                .contains("Expected a message whose body contains 'poison' in queue 'orders', but there is none.")
                .contains("The message is in the dead-letter queue: #1 'p'")
                .contains("dead-lettered with MaxDeliveryCountExceeded")
                .contains("Events of the message 'p':");
    }

    @Test
    @DisplayName("A missing message that was completed or dropped has these events")
    void completed() {
        jitney.queue("orders").send("done", m -> m.messageId("d"));
        jitney.queue("orders").send("done again", m -> m.messageId("d"));
        try (ServiceBusReceiverClient receiver = JitneyTest.receiver(jitney)) {
            receiver.complete(JitneyTest.only(receiver));
        }
        jitney.awaitIdle();

        assertThat(failure(() -> jitney.queue("orders").assertContainsId("d")))
                .contains("orders: enqueued #1 'd'")
                .contains("orders: completed #1 'd'")
                .contains("orders: duplicate");
    }

    @Test
    @DisplayName("A message that no rule of the subscription matches names the rule and the value")
    void rule() {
        jitney.topic("drinks").send("espresso", m -> m.property("cups", 1));
        jitney.awaitIdle();

        assertThat(failure(() -> jitney.subscription("drinks", "large").assertContains("espresso")))
                .contains("Expected a message whose body contains 'espresso' in subscription 'large' of topic 'drinks'")
                .contains("because no rule matches:")
                .contains("rule 'rule-1' (cups > 2): does not match; cups = 1 (int)");
    }

    @Test
    @DisplayName("The rules are explained for a message of the SDK as well, if another subscription has it")
    void ruleForSdk() {
        try (ServiceBusSenderClient sender = new ServiceBusClientBuilder()
                .connectionString(jitney.connectionString())
                .sender()
                .topicName("drinks")
                .buildClient()) {
            sender.sendMessage(new ServiceBusMessage("tea").setMessageId("t-1"));
        }
        jitney.awaitIdle();

        assertThat(failure(() -> jitney.subscription("drinks", "large").assertContainsId("t-1")))
                .contains("because no rule matches:")
                .contains(
                        "rule 'rule-1' (cups > 2): does not match, because a property is missing or null; cups = null");
    }

    @Test
    @DisplayName("A message that was never sent is named so")
    void never() {
        assertThat(failure(() -> jitney.queue("orders").assertContains("ghost")))
                .contains("No such message was sent to the queue with the test kit")
                .contains("It has had no messages.");
    }

    @Test
    @DisplayName("An entity that does not exist is refused with its name and the fix")
    void unknown() {
        assertThatThrownBy(() -> jitney.queue("ghost").assertEmpty())
                .isInstanceOf(JitneyException.class)
                .hasMessageContaining("queue 'ghost': counts(): The broker answered 404: ")
                .hasMessageContaining("Declare queues, topics and subscriptions before the start");
    }

    private static String failure(Runnable assertion) {
        Throwable thrown = catchThrowable(assertion::run);
        assertThat(thrown).isInstanceOf(AssertionError.class);
        return String.valueOf(thrown.getMessage());
    }
}
