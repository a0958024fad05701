package dev.jitney.conformance.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.js.Node;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.samples.PublishSubscribe;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of the topic samples, with a server that uses their configuration. */
class PublishSubscribeSamplesTest {
    private static final String[] LINES = {
        "In all: some coffee, priority normal",
        "In all: some tea, priority normal",
        "In all: some cocoa, priority normal",
        "In tea: some tea, priority normal",
        "In tea: some cocoa, priority normal",
        "In large: some tea, priority high"
    };

    @RegisterExtension
    static final TestBroker broker = TestBroker.configuredTicking(config());

    /** Returns the content of {@code samples/config.json}. */
    static String config() {
        try {
            return Files.readString(Path.of("../../samples/config.json"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @AfterEach
    void nothingIsLeft() {
        for (String subscription : List.of("all", "large", "tea")) {
            assertThat(broker.counts("drinks/Subscriptions/" + subscription).total())
                    .as(subscription)
                    .isZero();
        }
    }

    @Test
    @DisplayName("The Java sample publishes, receives by rules, and adds a rule")
    void javaSample() {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream console = System.out;
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            PublishSubscribe.run(broker.connectionString());
        } finally {
            System.setOut(console);
        }
        assertThat(said.toString(StandardCharsets.UTF_8)).contains(LINES);
    }

    @Test
    @DisplayName("The JavaScript sample does the same")
    void javaScriptSample() {
        Node.Result result = Node.in("../../samples/javascript")
                .run(Map.of("SERVICEBUS_CONNECTION_STRING", broker.connectionString()), "publish-subscribe.mjs");
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains(LINES);
    }
}
