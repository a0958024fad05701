package dev.jitney.conformance.admin;

import dev.jitney.conformance.js.Node;
import dev.jitney.conformance.support.PartitionedRun;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests of the JavaScript administration client, one container per file under {@code js/admin}. HTTPS has a random port
 * and is trusted as users do it.
 */
class JavaScriptAdminTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.withHttps();

    @BeforeAll
    static void prepare() throws Exception {
        broker.queue("js-counted", q -> q);
        Messages.sendScheduleAndDeadLetter(broker, "js-counted");
        broker.accessRules(List.of(
                new AccessRule(
                        TestBroker.RULE, EnumSet.allOf(AccessRight.class), TestBroker.KEY, "second key of everything"),
                new AccessRule("listener", EnumSet.of(AccessRight.LISTEN), "listen-key", null)));
    }

    @TestFactory
    @DisplayName("JavaScript administration client")
    Stream<DynamicNode> javaScript() throws IOException {
        Node node = Node.in("js");
        List<Path> files;
        try (Stream<Path> listing = Files.list(Path.of("js/admin"))) {
            files = listing.filter(file -> file.toString().endsWith(".test.mjs"))
                    .sorted()
                    .toList();
        }
        return files.stream()
                .map(file -> DynamicContainer.dynamicContainer(
                        file.getFileName().toString(), Stream.of(file).flatMap(f -> run(node, f))));
    }

    private static Stream<DynamicTest> run(Node node, Path file) {
        return node.run(
                        Map.of(
                                "JITNEY_PARTITIONED", String.valueOf(PartitionedRun.ASKED),
                                "JITNEY_SIZE_FACTOR", String.valueOf(PartitionedRun.SIZE_FACTOR),
                                "SERVICEBUS_CONNECTION_STRING", broker.connectionString(),
                                "SERVICEBUS_ADMIN_CONNECTION_STRING", broker.adminConnectionString(),
                                "NODE_EXTRA_CA_CERTS", broker.caFile().toString()),
                        "--test",
                        "--test-reporter=spec",
                        "admin/" + file.getFileName())
                .tests(file.getFileName().toString());
    }
}
