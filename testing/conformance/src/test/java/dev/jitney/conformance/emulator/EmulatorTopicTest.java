package dev.jitney.conformance.emulator;

import static dev.jitney.conformance.support.PartitionedRun.inOrder;
import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.models.ServiceBusReceiveMode;
import com.azure.messaging.servicebus.models.SubQueue;
import dev.jitney.conformance.support.TestBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests that the topic in the emulator's default configuration behaves according to its rules (HTTP checklist 81 and
 * 83).
 */
class EmulatorTopicTest {
    private static final String TOPIC = "topic.1";

    @RegisterExtension
    static final TestBroker broker = TestBroker.configuredTicking(emulatorDefault());

    private ServiceBusClientBuilder client;

    private static String emulatorDefault() {
        try {
            return Files.readString(
                    Path.of("../../server/src/test/resources/dev/jitney/server/config/emulator-default.json"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @BeforeEach
    void connect() {
        client = TestBroker.clientBuilder(broker.connectionString());
    }

    @Test
    @DisplayName("Each subscription gets the messages its rule selects, and an action changes its copy")
    void distributes() {
        publishAll();
        assertThat(received("subscription.1")).containsExactly("json");
        assertThat(received("subscription.2")).containsExactly("property");
        assertThat(received("subscription.3")).containsExactly("json", "property", "both", "plain");
        List<ServiceBusReceivedMessage> changed = take("subscription.4", 1);
        assertThat(changed).hasSize(1);
        assertThat(changed.get(0).getBody()).hasToString("both");
        assertThat(changed.get(0).getTo()).isEqualTo("Entity");
        assertThat(changed.get(0).getApplicationProperties())
                .isEqualTo(Map.of("userProp1", "value1", "RuleName", "sql-filter-1"));
    }

    @Test
    @DisplayName("After a restart with the same file the rules are unchanged, and no copy is delivered twice")
    void restarts() {
        publishAll();
        broker.restart();
        connect();
        publishAll();
        assertThat(received("subscription.1")).containsExactly("json", "json");
        assertThat(received("subscription.2")).containsExactly("property", "property");
        assertThat(received("subscription.3")).hasSize(8);
        assertThat(received("subscription.4")).containsExactly("both", "both");
    }

    @Test
    @DisplayName("The third failed delivery is the last, as configured in the file")
    void limitsDeliveries() {
        try (ServiceBusSenderClient sender = client.sender().topicName(TOPIC).buildClient()) {
            sender.sendMessage(new ServiceBusMessage("poison"));
        }
        try (ServiceBusReceiverClient receiver = client.receiver()
                        .topicName(TOPIC)
                        .subscriptionName("subscription.3")
                        .disableAutoComplete()
                        .buildClient();
                ServiceBusReceiverClient deadLetters = client.receiver()
                        .topicName(TOPIC)
                        .subscriptionName("subscription.3")
                        .subQueue(SubQueue.DEAD_LETTER_QUEUE)
                        .disableAutoComplete()
                        .buildClient()) {
            for (int delivery = 0; delivery < 3; delivery++) {
                receiver.abandon(next(receiver));
            }
            ServiceBusReceivedMessage dead = next(deadLetters);
            assertThat(dead.getBody()).hasToString("poison");
            assertThat(dead.getDeadLetterReason()).isEqualTo("MaxDeliveryCountExceeded");
            deadLetters.complete(dead);
        }
    }

    private void publishAll() {
        try (ServiceBusSenderClient sender = client.sender().topicName(TOPIC).buildClient()) {
            sender.sendMessage(inOrder("json").setContentType("application/json"));
            ServiceBusMessage property = inOrder("property");
            property.getApplicationProperties().put("prop1", "value1");
            sender.sendMessage(property);
            ServiceBusMessage both = inOrder("both").setMessageId("123456");
            both.getApplicationProperties().put("userProp1", "value1");
            sender.sendMessage(both);
            sender.sendMessage(inOrder("plain"));
        }
    }

    /** Returns the messages that are available now. */
    private List<String> received(String subscription) {
        int count =
                (int) broker.counts(TOPIC + "/Subscriptions/" + subscription).active();
        return take(subscription, count).stream()
                .map(message -> message.getBody().toString())
                .toList();
    }

    private List<ServiceBusReceivedMessage> take(String subscription, int count) {
        List<ServiceBusReceivedMessage> messages = new ArrayList<>();
        try (ServiceBusReceiverClient receiver = client.receiver()
                .topicName(TOPIC)
                .subscriptionName(subscription)
                .receiveMode(ServiceBusReceiveMode.RECEIVE_AND_DELETE)
                .buildClient()) {
            while (messages.size() < count) {
                messages.add(next(receiver));
            }
        }
        return messages;
    }
}
