package dev.jitney.conformance.python;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.RawPeer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class PythonReconnectTest {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    @RegisterExtension
    static final TestBroker broker = TestBroker.withHttps();

    @TempDir
    Path directory;

    @Test
    @DisplayName(
            "Wire 88: after a restart of the server the Python SDK connects again, and receiver and sender continue")
    void restart() throws Exception {
        Python.requireServiceBus();
        // The restart may happen before the reply to a message, which the SDK then sends again.
        broker.queue("results", q -> q.requiresDuplicateDetection(true));
        broker.queue("held", q -> q);
        broker.queue("go", q -> q);
        send("held");
        Path output = directory.resolve("output");
        Process client = Python.program(broker, "reconnect.py")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            Await.until(
                    "the client to hold a message",
                    PATIENCE,
                    () -> !client.isAlive() || broker.counts("results").active() == 2);

            broker.restart();
            send("go");

            assertThat(client.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(client.exitValue()).as(said(output)).isZero();
        } finally {
            client.destroyForcibly();
        }
        assertThat(broker.counts("results").active()).as(said(output)).isEqualTo(3);
        assertThat(broker.counts("go").total()).isZero();
    }

    private static void send(String queue) {
        try (RawPeer peer = broker.peer()) {
            peer.begin().sender(queue).sendAccepted(RawMessage.ofData(queue));
        }
    }

    private static String said(Path output) throws IOException {
        return Files.readString(output, StandardCharsets.UTF_8);
    }
}
