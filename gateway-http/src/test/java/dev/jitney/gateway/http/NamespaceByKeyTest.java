package dev.jitney.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.Namespace;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a request whose host names no namespace belongs to the only namespace with a key of that name")
class NamespaceByKeyTest {
    private static final String TEAM_KEY = "key-of-the-second";
    private final TestBroker broker = new TestBroker();
    private final HttpClient client = HttpClient.newHttpClient();
    private HttpGateway gateway;

    @BeforeEach
    void open() throws Exception {
        Namespace second = broker.broker.namespace("second");
        List<AccessRule> rules = new ArrayList<>(second.accessRules());
        rules.add(new AccessRule("team-b", Set.of(AccessRight.values()), TEAM_KEY, null));
        await(second.setAccessRules(rules));
        await(second.createQueue(QueueDescription.named("q").build()));
        gateway = HttpGateway.start(
                new HttpGatewayOptions("127.0.0.1", 0, null, null),
                broker.broker,
                broker.broker::trouble,
                new RecordingTunnels());
    }

    @AfterEach
    void close() {
        gateway.close();
        broker.close();
    }

    private static void await(CompletionStage<?> stage) throws Exception {
        stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    private int send(String rule, String key) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + gateway.httpPort() + "/q/messages"))
                .POST(BodyPublishers.ofString("hello"))
                .header("Authorization", TestBroker.token("https://localhost/q", rule, key))
                .build();
        return client.send(request, BodyHandlers.ofString()).statusCode();
    }

    @Test
    @DisplayName("each request by itself: a queue of the second namespace with its key, none with the key of the first")
    void messages() throws Exception {
        assertThat(send("team-b", TEAM_KEY)).isEqualTo(201);
        assertThat(send("RootManageSharedAccessKey", TestBroker.KEY)).isEqualTo(404);
        assertThat(send("team-b", TEAM_KEY)).isEqualTo(201);
    }

    @Test
    @DisplayName("a wrong signature is refused, and a key name of both namespaces counts for the first one")
    void refused() throws Exception {
        assertThat(send("team-b", "wrong")).isEqualTo(401);
        assertThat(send("send", TEAM_KEY)).isEqualTo(401);
    }
}
