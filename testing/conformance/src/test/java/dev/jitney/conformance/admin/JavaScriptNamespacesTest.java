package dev.jitney.conformance.admin;

import dev.jitney.conformance.js.Node;
import dev.jitney.conformance.support.OrdinaryOnly;
import dev.jitney.conformance.support.TestBroker;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of the JavaScript SDK with a namespace that was created at run time, over an address without a namespace. */
@OrdinaryOnly("the test is about the namespace")
class JavaScriptNamespacesTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.withOnePort();

    @RegisterExtension
    final TeamNamespace team = new TeamNamespace(broker);

    @TestFactory
    @DisplayName("JavaScript clients find the namespace by the name of their key")
    Stream<DynamicTest> javaScript() {
        return Node.in("js")
                .run(
                        Map.of(
                                "SERVICEBUS_CONNECTION_STRING", broker.connectionString(),
                                "TEAM_CONNECTION_STRING", team.connectionString(),
                                "NODE_EXTRA_CA_CERTS", broker.caFile().toString()),
                        "--test",
                        "--test-reporter=spec",
                        "namespaces/namespaces.test.mjs")
                .tests("namespaces.test.mjs");
    }
}
