package dev.jitney.conformance.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.RawPeer;
import dev.jitney.testing.amqp.SasToken;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that clients observe the settings of a namespace in a configuration file. */
class NamespaceSettingsTest {
    private static final long FAR_FUTURE_SECONDS = 4_000_000_000L;

    @RegisterExtension
    static final TestBroker broker = TestBroker.configured("""
            {"UserConfig":{"Namespaces":[
              {"Name":"ns","TransferFailureTarget":"DLQ","DeletionLock":true,
               "Queues":[{"Name":"source","Properties":{"ForwardTo":"later"}},
                 {"Name":"later","Properties":{"Status":"SendDisabled"}},
                 {"Name":"dying","Properties":{"ForwardDeadLetteredMessagesTo":"news","AutoDeleteOnIdle":"PT5M"}}],
               "Topics":[{"Name":"news","Subscriptions":[{"Name":"s"}]}]}]}}
            """);

    @Test
    @DisplayName(
            "DLQ-32, FWD-1: a queue declared before its destination moves messages it cannot forward to its dead-letter queue")
    void transferFailureTarget() {
        try (RawPeer peer = broker.peer()) {
            peer.begin().sender("source").sendAccepted(RawMessage.ofData("x"));
        }
        Await.until("the dead-letter message", () -> broker.counts("source").deadLetter() == 1);
        assertThat(broker.counts("source").transferDeadLetter()).isZero();
        assertThat(broker.counts("source").active()).isZero();
    }

    @Test
    @DisplayName("IDLE-11: a lock on the namespace keeps clients from deleting entities, but not their rules")
    void deletionLock() throws Exception {
        for (String path : new String[] {"/later", "/news", "/news/subscriptions/s"}) {
            HttpResponse<String> refused = delete(path);
            assertThat(refused.statusCode()).as(refused.body()).isBetween(400, 409);
            assertThat(refused.body()).contains("locked against deletion");
        }
        assertThat(delete("/news/subscriptions/s/rules/$Default").statusCode()).isEqualTo(200);
    }

    private static HttpResponse<String> delete(String path) throws Exception {
        String origin = "http://localhost:" + broker.httpPort();
        String token = SasToken.create(origin, TestBroker.RULE, TestBroker.KEY, FAR_FUTURE_SECONDS);
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(origin + path + "?api-version=2021-05"))
                                .header("Authorization", token)
                                .DELETE()
                                .build(),
                        BodyHandlers.ofString());
    }
}
