package dev.jitney.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusProcessorClient;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.server.JitneyServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("the pages for administration and sending")
class AdministrationPagesTest {
    @TempDir
    Path dir;

    @BeforeAll
    static void programs() throws Exception {
        Browser.prepare();
    }

    @TestFactory
    @DisplayName("create, change and delete entities, make keys, and send messages that the Java SDK receives")
    Stream<DynamicTest> administration() throws Exception {
        try (JitneyServer server = ConsoleServer.start(dir.resolve("data"), ConsoleServer.KEY)) {
            ServiceBusClientBuilder client = new ServiceBusClientBuilder().connectionString(server.connectionString());
            fill(server.broker().namespace(null), client);
            try (ServiceBusProcessorClient processor = client.processor()
                    .queueName("payments")
                    .processMessage(context -> {})
                    .processError(context -> {})
                    .buildProcessorClient()) {
                processor.start();
                List<DynamicTest> tests =
                        new ArrayList<>(Browser.tests("administration.test.mjs", ConsoleServer.environment(server))
                                .toList());
                Entity made = server.broker().namespace(null).entity("shop/returns");
                EntityDescription description = made == null ? null : made.description();
                List<ServiceBusReceivedMessage> sent = received(client);
                tests.add(DynamicTest.dynamicTest("the broker has the settings of the page", () -> {
                    assertThat(description)
                            .isEqualTo(QueueDescription.named("shop/returns")
                                    .lockDurationMs(45_000)
                                    .maxDeliveryCount(3)
                                    .deadLetteringOnMessageExpiration(true)
                                    .build());
                }));
                tests.add(DynamicTest.dynamicTest(
                        "the Java SDK receives the message of the form with its types", () -> {
                            assertThat(sent).hasSize(3);
                            ServiceBusReceivedMessage message = sent.get(0);
                            assertThat(message.getBody().toString()).isEqualTo("{\"order\": 7}");
                            assertThat(message.getSubject()).isEqualTo("from the form");
                            assertThat(message.getContentType()).isEqualTo("application/json");
                            assertThat(message.getApplicationProperties())
                                    .containsExactlyInAnyOrderEntriesOf(Map.of("amount", 250L, "urgent", true));
                            assertThat(sent).hasSize(3);
                        }));
                processor.stop();
                return tests.stream();
            }
        }
    }

    private static List<ServiceBusReceivedMessage> received(ServiceBusClientBuilder client) {
        try (ServiceBusReceiverClient receiver =
                client.receiver().queueName("letters").buildClient()) {
            List<ServiceBusReceivedMessage> messages = new ArrayList<>();
            while (messages.size() < 3) {
                List<ServiceBusReceivedMessage> some = receiver.receiveMessages(3, Duration.ofSeconds(10)).stream()
                        .toList();
                if (some.isEmpty()) {
                    break;
                }
                messages.addAll(some);
            }
            return messages;
        }
    }

    private static void fill(Namespace namespace, ServiceBusClientBuilder client) throws Exception {
        List<AccessRule> rules = new ArrayList<>(namespace.accessRules());
        rules.add(new AccessRule("reader", Set.of(AccessRight.LISTEN), "key-of-the-reader", null));
        rules.add(new AccessRule("sender", Set.of(AccessRight.SEND), "key-of-the-sender", null));
        ConsoleServer.await(namespace.setAccessRules(rules));
        for (String queue : List.of("orders", "letters", "payments")) {
            ConsoleServer.await(namespace.createQueue(QueueDescription.named(queue)
                    .lockDurationMs(30_000)
                    .userMetadata(queue.equals("orders") ? "شكرا — of the shop" : null)
                    .build()));
        }
        ConsoleServer.await(
                namespace.createTopic(TopicDescription.named("events").build()));
        ConsoleServer.await(namespace.createSubscription(
                SubscriptionDescription.of("events", "billing")
                        .maxDeliveryCount(4)
                        .build(),
                new RuleDescription("reds", new SqlRuleFilter("color = 'red'", Map.of()), null)));
        ConsoleServer.await(namespace.createRule(
                "events/Subscriptions/billing",
                new RuleDescription("blues", new SqlRuleFilter("color = 'blue'", Map.of()), null)));
        try (ServiceBusSenderClient orders = client.sender().queueName("orders").buildClient();
                ServiceBusReceiverClient receiver = client.receiver()
                        .queueName("orders")
                        .disableAutoComplete()
                        .buildClient()) {
            ServiceBusMessage dead = new ServiceBusMessage("{\"order\": 1, \"amount\": \"1,5\"}")
                    .setMessageId("order-1")
                    .setSubject("order \"one\"")
                    .setContentType("application/json");
            dead.getApplicationProperties().put("region", "eu");
            dead.getApplicationProperties().put("amount", 10);
            orders.sendMessage(dead);
            for (ServiceBusReceivedMessage each : receiver.receiveMessages(1, Duration.ofSeconds(30))) {
                receiver.deadLetter(each, new DeadLetterOptions().setDeadLetterReason("InvalidAmount"));
            }
            for (int i = 2; i <= 11; i++) {
                orders.sendMessage(new ServiceBusMessage("{\"order\": %d}".formatted(i)));
            }
        }
    }
}
