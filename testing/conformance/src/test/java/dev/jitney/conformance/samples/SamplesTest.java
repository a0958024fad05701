package dev.jitney.conformance.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.js.Node;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.conformance.support.TestTrust;
import dev.jitney.samples.FirstMessage;
import dev.jitney.samples.OverWebSocket;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that the samples end without an error and print their results. */
class SamplesTest {
    private static final String[] LINES = {
        "Received: one coffee",
        "Deferred: one cake, when it is baked",
        "Dead-lettered: one unicorn, not on the menu",
        "Peeked: one tea",
        "Scheduled: one tea"
    };

    private static final String THROUGH_WEB_SOCKET = "Received: one coffee, through the firewall";

    @RegisterExtension
    static final TestBroker broker = TestBroker.withHttps();

    @BeforeAll
    static void createQueue() {
        broker.queue("orders", q -> q);
    }

    @Test
    @DisplayName("The Java sample sends, receives, defers, dead-letters, schedules and peeks")
    void javaSample() {
        assertThat(outputOf(() -> FirstMessage.run(broker.connectionString()))).contains(LINES);
        assertThat(broker.counts("orders").total()).isZero();
    }

    @Test
    @DisplayName("The Java sample for WebSocket sends and receives")
    void javaSampleOverWebSocket() throws IOException {
        try (TestTrust trust = TestTrust.in(broker.trustStore())) {
            String said = outputOf(() ->
                    OverWebSocket.run(broker.webSocketConnectionString(), "https://localhost:" + broker.httpsPort()));
            assertThat(said).contains(THROUGH_WEB_SOCKET);
        }
        assertThat(broker.counts("orders").total()).isZero();
    }

    private static String outputOf(Runnable program) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream console = System.out;
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            program.run();
        } finally {
            System.setOut(console);
        }
        return said.toString(StandardCharsets.UTF_8);
    }

    @Test
    @DisplayName("The JavaScript sample does the same")
    void javaScriptSample() {
        Node node = Node.in("../../samples/javascript");
        Node.Result result =
                node.run(Map.of("SERVICEBUS_CONNECTION_STRING", broker.connectionString()), "first-message.mjs");
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains(LINES);
        assertThat(broker.counts("orders").total()).isZero();
    }

    @Test
    @DisplayName("The JavaScript sample for WebSocket sends and receives")
    void javaScriptSampleOverWebSocket() {
        Node node = Node.in("../../samples/javascript");
        Node.Result result = node.run(
                Map.of(
                        "SERVICEBUS_CONNECTION_STRING", broker.webSocketConnectionString(),
                        "NODE_EXTRA_CA_CERTS", broker.caFile().toString()),
                "over-websocket.mjs");
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains(THROUGH_WEB_SOCKET);
        assertThat(broker.counts("orders").total()).isZero();
    }
}
