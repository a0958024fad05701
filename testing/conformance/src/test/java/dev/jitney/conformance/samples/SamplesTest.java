package dev.jitney.conformance.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.js.Node;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.samples.FirstMessage;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The samples end without an error and say what they did. */
class SamplesTest {
    private static final String[] LINES = {
        "Received: one coffee",
        "Deferred: one cake, when it is baked",
        "Dead-lettered: one unicorn, not on the menu",
        "Peeked: one tea",
        "Scheduled: one tea"
    };

    @RegisterExtension
    static final TestBroker broker = TestBroker.ticking();

    @BeforeAll
    static void createQueue() {
        broker.queue("orders", q -> q);
    }

    @Test
    @DisplayName("The Java sample sends, receives, defers, dead-letters, schedules and peeks")
    void javaSample() {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream console = System.out;
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            FirstMessage.run(broker.connectionString());
        } finally {
            System.setOut(console);
        }
        assertThat(said.toString(StandardCharsets.UTF_8)).contains(LINES);
        assertThat(broker.counts("orders").total()).isZero();
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
}
