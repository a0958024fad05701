package dev.jitney.console;

import static dev.jitney.console.ConsoleServer.KEY;
import static dev.jitney.console.ConsoleServer.await;
import static dev.jitney.console.ConsoleServer.environment;

import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusProcessorClient;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.runtime.Namespace;
import dev.jitney.server.JitneyServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("the console in a browser")
class ConsoleTest {
    private static final int MANY = 10_000;
    private static final int REFUNDS = 1_001;
    private static final int POISON = 120;

    @TempDir
    Path dir;

    @BeforeAll
    static void programs() throws Exception {
        Browser.prepare();
    }

    @TestFactory
    @DisplayName("finds, shows, repairs and resubmits messages")
    Stream<DynamicTest> repair() throws Exception {
        try (JitneyServer server = server(KEY)) {
            fill(server);
            List<DynamicTest> tests =
                    Browser.tests("repair.test.mjs", environment(server)).toList();
            return tests.stream();
        }
    }

    @TestFactory
    @DisplayName("needs no login with the public key, and shows ten thousand entities")
    Stream<DynamicTest> manyEntities() throws Exception {
        try (JitneyServer server = server(null)) {
            Namespace namespace = server.broker().namespace(null);
            List<CompletionStage<?>> made = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                made.add(namespace.createQueue(QueueDescription.named("area-%02d/queue-%04d".formatted(i % 100, i))
                        .build()));
            }
            for (CompletionStage<?> each : made) {
                await(each);
            }
            List<DynamicTest> tests =
                    Browser.tests("many.test.mjs", environment(server)).toList();
            return tests.stream();
        }
    }

    @TestFactory
    @DisplayName(
            "repairs a thousand dead letters with a job, and shows them in the overview, the jobs and the audit trail")
    Stream<DynamicTest> jobs() throws Exception {
        try (JitneyServer server = server(KEY)) {
            ServiceBusClientBuilder client = new ServiceBusClientBuilder().connectionString(server.connectionString());
            fillOrders(server.broker().namespace(null), client);
            fillRefunds(server.broker().namespace(null), client);
            try (ServiceBusProcessorClient processor = poison(server.broker().namespace(null), client)) {
                List<DynamicTest> tests =
                        Browser.tests("jobs.test.mjs", environment(server)).toList();
                processor.stop();
                return tests.stream();
            }
        }
    }

    private JitneyServer server(String key) throws Exception {
        return ConsoleServer.start(dir.resolve("data-" + (key == null ? "public" : "own")), key);
    }

    /** Makes the situation: a shop whose orders failed for several reasons. */
    private static void fill(JitneyServer server) throws Exception {
        Namespace namespace = server.broker().namespace(null);
        List<AccessRule> rules = new ArrayList<>(namespace.accessRules());
        rules.add(new AccessRule("reader", Set.of(AccessRight.LISTEN), "key-of-the-reader", null));
        await(namespace.setAccessRules(rules));
        for (String queue : List.of(
                "orders",
                "orders/returns",
                "payments",
                "invoices-archive",
                "shipping/europe/express-parcels-with-a-rather-long-name")) {
            await(namespace.createQueue(QueueDescription.named(queue).build()));
        }
        await(namespace.createTopic(TopicDescription.named("events").build()));
        await(namespace.createSubscription(
                SubscriptionDescription.of("events", "billing").build(), RuleDescription.takeEverything()));
        ServiceBusClientBuilder client = new ServiceBusClientBuilder().connectionString(server.connectionString());
        try (ServiceBusSenderClient orders = client.sender().queueName("orders").buildClient();
                ServiceBusReceiverClient receiver = client.receiver()
                        .queueName("orders")
                        .disableAutoComplete()
                        .buildClient()) {
            for (int i = 1; i <= 12; i++) {
                orders.sendMessage(order(
                                i,
                                "{\"order\": {\"id\": %d, \"amount\": \"%d,5\"}, \"customer\": \"C-%03d\"}"
                                        .formatted(9007199254740990L + i, i, i))
                        .setSubject("order"));
            }
            orders.sendMessage(order(13, "<order id=\"13\"><amount>7</amount><customer>C-013</customer></order>")
                    .setContentType("application/xml"));
            orders.sendMessage(order(14, "شكرا لك على طلبك 🎉 מספר 14").setSubject("thanks 🚚"));
            orders.sendMessage(new ServiceBusMessage(BinaryData.fromBytes(gzip("{\"packed\": true, \"order\": 15}")))
                    .setMessageId("order-15"));
            for (int dead = 0; dead < 15; ) { // a call may return only some of the messages
                int before = dead;
                for (ServiceBusReceivedMessage each : receiver.receiveMessages(15 - dead, Duration.ofSeconds(30))) {
                    int number = Integer.parseInt(each.getMessageId().replace("order-", ""));
                    boolean amount = number <= 12;
                    receiver.deadLetter(
                            each,
                            new DeadLetterOptions()
                                    .setDeadLetterReason(amount ? "InvalidAmount" : "UnknownFormat")
                                    .setDeadLetterErrorDescription(
                                            amount
                                                    ? "The amount of order " + number
                                                            + " is not a number: expected digits and a point."
                                                    : "No reader for this kind of body."));
                    dead++;
                }
                if (dead == before) {
                    throw new AssertionError("Expected 15 messages, but received " + dead + ".");
                }
            }
            for (int i = 20; i < 60; i++) {
                orders.sendMessage(order(
                        i,
                        "{\"order\": {\"id\": %d, \"amount\": %d.5}, \"lines\": [{\"sku\": \"A-%d\", \"count\": 2}]}"
                                .formatted(i, i, i)));
            }
            orders.scheduleMessage(
                    order(99, "{\"later\": true}"), OffsetDateTime.now().plusHours(5));
        }
        try (ServiceBusSenderClient events = client.sender().topicName("events").buildClient()) {
            events.sendMessage(new ServiceBusMessage("{\"event\": \"started\"}"));
        }
    }

    private static ServiceBusMessage order(int number, String body) {
        ServiceBusMessage message = new ServiceBusMessage(body).setMessageId("order-" + number);
        message.getApplicationProperties().put("region", number % 2 == 0 ? "eu" : "us");
        message.getApplicationProperties().put("amount", number * 10);
        return message;
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return packed.toByteArray();
    }

    /** Makes a queue with active messages and no receiver. */
    private static void fillOrders(Namespace namespace, ServiceBusClientBuilder client) throws Exception {
        await(namespace.createQueue(QueueDescription.named("orders").build()));
        try (ServiceBusSenderClient orders = client.sender().queueName("orders").buildClient()) {
            for (int i = 1; i <= 40; i++) {
                orders.sendMessage(order(i, "{\"order\": %d}".formatted(i)));
            }
        }
    }

    /** Makes a queue whose dead letters have one reason, and each its own customer. */
    private static void fillRefunds(Namespace namespace, ServiceBusClientBuilder client) throws Exception {
        await(namespace.createQueue(QueueDescription.named("refunds").build()));
        try (ServiceBusSenderClient refunds =
                        client.sender().queueName("refunds").buildClient();
                ServiceBusReceiverClient receiver = client.receiver()
                        .queueName("refunds")
                        .disableAutoComplete()
                        .buildClient()) {
            for (int i = 1; i <= REFUNDS; ) {
                List<ServiceBusMessage> batch = new ArrayList<>();
                for (int end = Math.min(REFUNDS, i + 99); i <= end; i++) {
                    ServiceBusMessage refund = new ServiceBusMessage("{\"refund\": %d, \"amount\": 7}".formatted(i))
                            .setMessageId("refund-" + i);
                    refund.getApplicationProperties().put("customer", "C-%04d".formatted(i));
                    batch.add(refund);
                }
                refunds.sendMessages(batch);
            }
            for (int number = 0; number < REFUNDS; ) {
                int before = number;
                for (ServiceBusReceivedMessage each : receiver.receiveMessages(100, Duration.ofSeconds(30))) {
                    number++;
                    receiver.deadLetter(
                            each,
                            new DeadLetterOptions()
                                    .setDeadLetterReason("InvalidCurrency")
                                    .setDeadLetterErrorDescription("The currency of "
                                            + each.getMessageId().replace('-', ' ') + " is missing."));
                }
                if (number == before) {
                    throw new AssertionError("Expected " + REFUNDS + " messages, but received " + number + ".");
                }
            }
        }
    }

    /** Makes a queue whose receiver dead-letters each message, also those that are resubmitted. */
    private static ServiceBusProcessorClient poison(Namespace namespace, ServiceBusClientBuilder client)
            throws Exception {
        await(namespace.createQueue(QueueDescription.named("poison").build()));
        CountDownLatch dead = new CountDownLatch(POISON);
        ServiceBusProcessorClient processor = client.processor()
                .queueName("poison")
                .disableAutoComplete()
                .processMessage(context -> {
                    context.deadLetter(new DeadLetterOptions().setDeadLetterReason("Poison"));
                    dead.countDown();
                })
                .processError(context -> {})
                .buildProcessorClient();
        try (ServiceBusSenderClient sender = client.sender().queueName("poison").buildClient()) {
            List<ServiceBusMessage> batch = new ArrayList<>();
            for (int i = 1; i <= POISON; i++) {
                batch.add(order(i, "{\"poison\": %d}".formatted(i)));
            }
            sender.sendMessages(batch);
        }
        processor.start();
        if (!dead.await(60, TimeUnit.SECONDS)) {
            throw new AssertionError("Expected " + POISON + " dead letters, but " + dead.getCount() + " are missing.");
        }
        return processor;
    }
}
