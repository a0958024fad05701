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
import dev.jitney.runtime.Namespace;
import dev.jitney.server.JitneyServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("the pages of an entity in a browser")
class EntityPagesTest {
    private static final int SESSIONS = 230;

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
            int number = 0;
            for (ServiceBusReceivedMessage each : receiver.receiveMessages(count, Duration.ofSeconds(30))) {
                receiver.deadLetter(each, new DeadLetterOptions().setDeadLetterReason("TooLate"));
                number++;
            }
            if (number != count) {
                throw new AssertionError("Expected " + count + " dead letters, but made " + number + ".");
            }
        }
    }
}
