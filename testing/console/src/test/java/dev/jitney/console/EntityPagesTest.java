package dev.jitney.console;

import static dev.jitney.console.ConsoleServer.KEY;
import static dev.jitney.console.ConsoleServer.await;
import static dev.jitney.console.ConsoleServer.environment;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.ServiceBusSessionReceiverClient;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter;
import dev.jitney.model.rule.RuleValue;
import dev.jitney.model.rule.SqlRuleAction;
import dev.jitney.runtime.Namespace;
import dev.jitney.server.JitneyServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("the pages of an entity in a browser")
class EntityPagesTest {
    private static final int SESSIONS = 230;
    private static final int WIDE = 320;
    private static final int BUSY = 150;
    private static final int IDLE = 30;

    @TempDir
    Path dir;

    @BeforeAll
    static void programs() throws Exception {
        Browser.prepare();
    }

    @TestFactory
    @DisplayName(
            "shows sessions with their states, unlocks one, clears its state, and resubmits its dead letters in order")
    Stream<DynamicTest> sessions() throws Exception {
        try (JitneyServer server = ConsoleServer.start(dir.resolve("sessions"), KEY)) {
            ServiceBusClientBuilder client = new ServiceBusClientBuilder().connectionString(server.connectionString());
            fillTrips(server.broker().namespace(null), client);
            Map<String, String> environment = new HashMap<>(environment(server));
            environment.put("CONSOLE_READER", addReader(server));
            try (ServiceBusSessionReceiverClient acceptor = client.sessionReceiver()
                            .queueName("trips")
                            .disableAutoComplete()
                            .buildClient();
                    ServiceBusReceiverClient holder = acceptor.acceptSession("trip-7")) {
                holder.setSessionState("{\"step\": 3, \"seats\": [\"12A\", \"12B\"], \"paid\": false}"
                        .getBytes(StandardCharsets.UTF_8));
                return Browser.tests("sessions.test.mjs", environment).toList().stream();
            }
        }
    }

    @TestFactory
    @DisplayName("changes rules, shows mistakes at their fields, and explains where a message would go and why")
    Stream<DynamicTest> rules() throws Exception {
        try (JitneyServer server = ConsoleServer.start(dir.resolve("rules"), KEY)) {
            ServiceBusClientBuilder client = new ServiceBusClientBuilder().connectionString(server.connectionString());
            fillWeather(server.broker().namespace(null), client);
            Map<String, String> environment = new HashMap<>(environment(server));
            environment.put("CONSOLE_READER", addReader(server));
            return Browser.tests("rules.test.mjs", environment).toList().stream();
        }
    }

    /** Makes a topic with subscriptions of several rules, one of which forwards to a topic that forwards to a queue. */
    private static void fillWeather(Namespace namespace, ServiceBusClientBuilder client) throws Exception {
        await(namespace.createQueue(QueueDescription.named("alarms").build()));
        await(namespace.createQueue(
                QueueDescription.named("once").requiresDuplicateDetection(true).build()));
        try (ServiceBusSenderClient once = client.sender().queueName("once").buildClient()) {
            once.sendMessage(new ServiceBusMessage("first").setMessageId("order-1"));
        }
        await(namespace.createTopic(TopicDescription.named("urgent").build()));
        await(namespace.createSubscription(
                SubscriptionDescription.of("urgent", "all").forwardTo("alarms").build(),
                RuleDescription.takeEverything()));
        await(namespace.createTopic(TopicDescription.named("weather").build()));
        subscribe(namespace, "hot", null, new RuleFilter.SqlRuleFilter("degrees > 30", Map.of()), "SET alarm = true");
        subscribe(
                namespace,
                "storm",
                "urgent",
                new RuleFilter.SqlRuleFilter(
                        "wind > @limit", Map.of("@limit", new RuleValue(RuleValue.Type.INT, "80"))),
                "SET sys.Label = 'storm'; REMOVE note");
        subscribe(
                namespace,
                "berlin",
                null,
                new RuleFilter.CorrelationRuleFilter(
                        null,
                        null,
                        null,
                        null,
                        "report",
                        null,
                        null,
                        null,
                        Map.of("city", RuleValue.ofString("Berlin"))),
                null);
        subscribe(namespace, "archive", null, new RuleFilter.SqlRuleFilter("1=1", Map.of()), null);
        try (ServiceBusSenderClient weather =
                client.sender().topicName("weather").buildClient()) {
            ServiceBusMessage message = new ServiceBusMessage("{\"station\": 12}").setSubject("report");
            message.getApplicationProperties().put("degrees", 35);
            message.getApplicationProperties().put("city", "Berlin");
            weather.sendMessage(message);
        }
    }

    private static void subscribe(
            Namespace namespace, String name, @Nullable String forwardTo, RuleFilter filter, @Nullable String action)
            throws Exception {
        await(namespace.createSubscription(
                SubscriptionDescription.of("weather", name).forwardTo(forwardTo).build(),
                new RuleDescription("only", filter, action == null ? null : new SqlRuleAction(action, Map.of()))));
    }

    @TestFactory
    @DisplayName("shows scheduled messages on a timeline, delivers them now, reschedules and cancels them")
    Stream<DynamicTest> scheduled() throws Exception {
        try (JitneyServer server = ConsoleServer.start(dir.resolve("scheduled"), KEY)) {
            ServiceBusClientBuilder client = new ServiceBusClientBuilder().connectionString(server.connectionString());
            Namespace namespace = server.broker().namespace(null);
            await(namespace.createQueue(QueueDescription.named("reminders").build()));
            await(namespace.createQueue(QueueDescription.named("idle").build()));
            OffsetDateTime hour = OffsetDateTime.now().truncatedTo(ChronoUnit.HOURS);
            try (ServiceBusSenderClient reminders =
                    client.sender().queueName("reminders").buildClient()) {
                schedule(reminders, 300, hour.plusHours(2).plusMinutes(10));
                schedule(reminders, 40, hour.plusHours(5).plusMinutes(30));
                schedule(reminders, 3, hour.plusHours(9).plusMinutes(1));
                schedule(reminders, 1, hour.plusDays(20));
                reminders.sendMessage(new ServiceBusMessage("not scheduled"));
            }
            Map<String, String> environment = new HashMap<>(environment(server));
            environment.put("CONSOLE_READER", addReader(server));
            return Browser.tests("scheduled.test.mjs", environment).toList().stream();
        }
    }

    private static void schedule(ServiceBusSenderClient sender, int count, OffsetDateTime at) {
        List<ServiceBusMessage> messages = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            messages.add(new ServiceBusMessage("{\"reminder\": \"%d of %d\"}".formatted(i, count))
                    .setMessageId("reminder-%d-%d".formatted(count, i)));
        }
        for (int from = 0; from < count; from += 100) {
            sender.scheduleMessages(messages.subList(from, Math.min(count, from + 100)), at)
                    .forEach(number -> {});
        }
    }

    @TestFactory
    @DisplayName("draws topics, subscriptions, forwards and queues, and shows where messages dam up")
    Stream<DynamicTest> topology() throws Exception {
        try (JitneyServer server = ConsoleServer.start(dir.resolve("topology"), KEY)) {
            ServiceBusClientBuilder client = new ServiceBusClientBuilder().connectionString(server.connectionString());
            Namespace namespace = server.broker().namespace(null);
            fillWeather(namespace, client);
            await(namespace.createQueue(QueueDescription.named("failures").build()));
            await(namespace.createQueue(QueueDescription.named("intake")
                    .forwardTo("weather")
                    .forwardDeadLetteredMessagesTo("failures")
                    .build()));
            await(namespace.createQueue(QueueDescription.named("lonely").build()));
            await(namespace.createTopic(TopicDescription.named("wide").build()));
            for (int i = 0; i < WIDE; i++) {
                await(namespace.createSubscription(
                        SubscriptionDescription.of("wide", "reader-%03d".formatted(i))
                                .build(),
                        RuleDescription.takeEverything()));
            }
            return Browser.tests("topology.test.mjs", environment(server)).toList().stream();
        }
    }

    @TestFactory
    @DisplayName("draws the last hour of the entities in sight, and requests no others")
    Stream<DynamicTest> histories() throws Exception {
        try (JitneyServer server = ConsoleServer.start(dir.resolve("histories"), KEY)) {
            ServiceBusClientBuilder client = new ServiceBusClientBuilder().connectionString(server.connectionString());
            Namespace namespace = server.broker().namespace(null);
            for (int i = 0; i < IDLE; i++) {
                await(namespace.createQueue(
                        QueueDescription.named("idle-%02d".formatted(i)).build()));
            }
            await(namespace.createTopic(TopicDescription.named("busy").build()));
            for (int i = 0; i < BUSY; i++) {
                await(namespace.createSubscription(
                        SubscriptionDescription.of("busy", "s-%03d".formatted(i))
                                .build(),
                        RuleDescription.takeEverything()));
            }
            try (ServiceBusSenderClient busy = client.sender().topicName("busy").buildClient()) {
                busy.sendMessage(new ServiceBusMessage("news"));
            }
            return Browser.tests("histories.test.mjs", environment(server)).toList().stream();
        }
    }

    /** Adds a rule that permits only to read, and returns its connection string. */
    private static String addReader(JitneyServer server) throws Exception {
        Namespace namespace = server.broker().namespace(null);
        List<AccessRule> rules = new ArrayList<>(namespace.accessRules());
        rules.add(new AccessRule("reader", Set.of(AccessRight.LISTEN), "key-of-the-reader", null));
        await(namespace.setAccessRules(rules));
        return server.connectionString()
                .replaceAll("SharedAccessKeyName=[^;]*", "SharedAccessKeyName=reader")
                .replaceAll("SharedAccessKey=[^;]*", "SharedAccessKey=key-of-the-reader");
    }

    /** Makes a queue with many sessions: some with a state, with unusual ids, or with dead letters. */
    private static void fillTrips(Namespace namespace, ServiceBusClientBuilder client) throws Exception {
        await(namespace.createQueue(
                QueueDescription.named("trips").requiresSession(true).build()));
        await(namespace.createQueue(QueueDescription.named("plain").build()));
        try (ServiceBusSenderClient trips = client.sender().queueName("trips").buildClient();
                ServiceBusSessionReceiverClient acceptor = client.sessionReceiver()
                        .queueName("trips")
                        .disableAutoComplete()
                        .buildClient()) {
            List<ServiceBusMessage> batch = new ArrayList<>();
            for (int i = 1; i <= SESSIONS; i++) {
                batch.add(trip("tour-%03d".formatted(i), "{\"tour\": %d}".formatted(i)));
            }
            trips.sendMessages(batch);
            trips.sendMessages(List.of(
                    trip("trip-7", "{\"leg\": 1}"),
                    trip("trip-7", "{\"leg\": 2}"),
                    trip("trip-7", "{\"leg\": 3}"),
                    trip("O'Hare/gate 5", "{\"gate\": 5}"),
                    trip("رحلة-12", "{\"leg\": 1}"),
                    trip("a-session-with-a-rather-long-id-" + "x".repeat(90), "{}")));
            state(acceptor, "O'Hare/gate 5", new byte[] {(byte) 0xff, 0, 1, 2, (byte) 0x80});
            state(acceptor, "tour-001", "waits for the customer".getBytes(StandardCharsets.UTF_8));
            for (int i = 1; i <= 5; i++) {
                trips.sendMessage(trip("late", "{\"late\": %d}".formatted(i)));
                trips.sendMessage(trip("other", "{\"other\": %d}".formatted(i)));
            }
            deadLetter(acceptor, "late", 5);
            deadLetter(acceptor, "other", 2);
        }
    }

    private static ServiceBusMessage trip(String session, String body) {
        return new ServiceBusMessage(body).setSessionId(session);
    }

    private static void state(ServiceBusSessionReceiverClient acceptor, String session, byte[] state) {
        try (ServiceBusReceiverClient receiver = acceptor.acceptSession(session)) {
            receiver.setSessionState(state);
        }
    }

    private static void deadLetter(ServiceBusSessionReceiverClient acceptor, String session, int count) {
        try (ServiceBusReceiverClient receiver = acceptor.acceptSession(session)) {
            for (int number = 0; number < count; ) { // a call may return only some of the messages
                int before = number;
                for (ServiceBusReceivedMessage each :
                        receiver.receiveMessages(count - number, Duration.ofSeconds(30))) {
                    receiver.deadLetter(each, new DeadLetterOptions().setDeadLetterReason("TooLate"));
                    number++;
                }
                if (number == before) {
                    throw new AssertionError("Expected " + count + " messages, but received " + number + ".");
                }
            }
        }
    }
}
