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

/** Tests of the JavaScript SDK with the connection string of a server that has a single port. */
@OrdinaryOnly("the test is about the port")
class JavaScriptOnePortTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.withOnePort();

    @TestFactory
    @DisplayName("JavaScript clients on one port")
    Stream<DynamicTest> javaScript() {
        return Node.in("js")
                .run(
                        Map.of(
                                "SERVICEBUS_CONNECTION_STRING", broker.connectionString(),
                                "NODE_EXTRA_CA_CERTS", broker.caFile().toString()),
                        "--test",
                        "--test-reporter=spec",
                        "one-port/one-port.test.mjs")
                .tests("one-port.test.mjs");
    }
}
