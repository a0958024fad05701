package dev.jitney.conformance.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.js.Node;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.RawPeer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 6, unit = TimeUnit.MINUTES) // longer than that of the program, so that a failure shows its output
class JavaScriptReconnectTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.withHttps();

    @Test
    @DisplayName(
            "Wire 88: after a restart of the server the JavaScript SDK connects again, and receiver and sender continue")
    void restart() {
        // The restart may happen before the reply to the first message, which the SDK then sends again.
        broker.queue("results", q -> q.requiresDuplicateDetection(true));
        broker.queue("go", q -> q);
        send("ready");
        Node node = Node.in("js");
        CompletableFuture<Node.Result> client = CompletableFuture.supplyAsync(() -> node.run(
                Map.of(
                        "SERVICEBUS_CONNECTION_STRING", broker.webSocketConnectionString(),
                        "NODE_EXTRA_CA_CERTS", broker.caFile().toString()),
                "reconnect.mjs"));
        Await.until(
                "the first message",
                Duration.ofSeconds(60),
                () -> client.isDone() || broker.counts("results").active() == 1);

        broker.restart();
        send("go");

        Node.Result result = client.join();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(broker.counts("results").active()).as(result.output()).isEqualTo(2);
        assertThat(broker.counts("go").total()).isZero();
    }

    private static void send(String body) {
        try (RawPeer peer = broker.peer()) {
            peer.begin().sender("go").sendAccepted(RawMessage.ofData(body));
        }
    }
}
