package dev.jitney.conformance.js;

import static org.assertj.core.api.Assertions.fail;

import dev.jitney.conformance.support.TestBroker;
import dev.jitney.model.EntityStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One JUnit test per file under {@code js/test}; the message of a failure is what Node's test runner printed. */
class JavaScriptSdkTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.ticking();

    private static final int QUEUES_PER_FILE = 20;

    /** The tests know these queues by name. */
    @BeforeAll
    static void createQueues() {
        broker.queue("js-disabled", q -> q.status(EntityStatus.DISABLED));
        broker.queue("js-max-delivery-count-2", q -> q.maxDeliveryCount(2));
        broker.queue("js-short-lock", q -> q.lockDurationMs(5_000));
        broker.queue("js-dead-letter-expired", q -> q.deadLetteringOnMessageExpiration(true));
    }

    @TestFactory
    @DisplayName("JavaScript SDK")
    Stream<DynamicTest> javaScriptSdk() throws IOException {
        Node node = Node.in("js");
        List<Path> files;
        try (Stream<Path> listing = Files.list(Path.of("js/test"))) {
            files = listing.filter(file -> file.toString().endsWith(".test.mjs"))
                    .sorted()
                    .toList();
        }
        return files.stream()
                .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> run(node, file)));
    }

    private static void run(Node node, Path file) {
        String prefix = file.getFileName() + "-";
        for (int i = 0; i < QUEUES_PER_FILE; i++) {
            broker.queue(prefix + i, q -> q);
        }
        Node.Result result = node.run(
                Map.of(
                        "SERVICEBUS_CONNECTION_STRING", broker.connectionString(),
                        "SERVICEBUS_SAS_CONNECTION_STRING", broker.lastingConnectionString(),
                        "JITNEY_QUEUE_PREFIX", prefix),
                "--test",
                "--test-reporter=spec",
                "test/" + file.getFileName());
        if (result.exitCode() != 0) {
            fail(result.output());
        }
    }
}
