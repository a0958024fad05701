package dev.jitney.conformance.js;

import dev.jitney.conformance.support.PartitionedRun;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.model.EntityStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Runs the tests of the JavaScript SDK, one container per file under {@code js/test}. The message of a failure is the
 * output of Node's test runner.
 */
class JavaScriptSdkTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.withHttps();

    private static final int QUEUES_PER_FILE = 20;

    /** Creates the queues whose names the tests use. */
    @BeforeEach
    void createQueues() {
        broker.queue("js-disabled", q -> q.status(EntityStatus.DISABLED));
        broker.queue("js-max-delivery-count-2", q -> q.maxDeliveryCount(2));
        broker.queue("js-short-lock", q -> q.lockDurationMs(5_000));
        broker.queue("js-dead-letter-expired", q -> q.deadLetteringOnMessageExpiration(true));
    }

    /** Deletes the queues, so that the tests over the next transport start with new ones. */
    @AfterEach
    void deleteQueues() {
        List.of("js-disabled", "js-max-delivery-count-2", "js-short-lock", "js-dead-letter-expired")
                .forEach(broker::delete);
    }

    @TestFactory
    @DisplayName("JavaScript SDK")
    Stream<DynamicNode> javaScriptSdk() throws IOException {
        return eachFile(
                "tcp-",
                Map.of(
                        "SERVICEBUS_CONNECTION_STRING", broker.connectionString(),
                        "SERVICEBUS_SAS_CONNECTION_STRING", broker.lastingConnectionString()));
    }

    @TestFactory
    @DisplayName("JavaScript SDK through a WebSocket inside TLS")
    Stream<DynamicNode> javaScriptSdkOverWebSocket() throws IOException {
        return eachFile(
                "ws-",
                Map.of(
                        "SERVICEBUS_CONNECTION_STRING", broker.webSocketConnectionString(),
                        "SERVICEBUS_SAS_CONNECTION_STRING", broker.lastingWebSocketConnectionString(),
                        "JITNEY_OVER_WEBSOCKET", "true"));
    }

    private static Stream<DynamicNode> eachFile(String prefix, Map<String, String> environment) throws IOException {
        Node node = Node.in("js");
        List<Path> files;
        try (Stream<Path> listing = Files.list(Path.of("js/test"))) {
            files = listing.filter(file -> file.toString().endsWith(".test.mjs"))
                    .sorted()
                    .toList();
        }
        return files.stream()
                .map(file -> DynamicContainer.dynamicContainer(
                        file.getFileName().toString(),
                        Stream.of(file).flatMap(f -> run(node, f, prefix, environment))));
    }

    private static Stream<DynamicTest> run(Node node, Path file, String prefix, Map<String, String> environment) {
        String queues = prefix + file.getFileName() + "-";
        for (int i = 0; i < QUEUES_PER_FILE; i++) {
            broker.queue(queues + i, q -> q);
        }
        Map<String, String> all = new HashMap<>(environment);
        all.put("JITNEY_QUEUE_PREFIX", queues);
        all.put("JITNEY_PARTITIONED", String.valueOf(PartitionedRun.ASKED));
        all.put("SERVICEBUS_ADMIN_CONNECTION_STRING", broker.adminConnectionString());
        all.put("NODE_EXTRA_CA_CERTS", broker.caFile().toString());
        return node.run(all, "--test", "--test-reporter=spec", "test/" + file.getFileName())
                .tests(file.getFileName().toString());
    }
}
