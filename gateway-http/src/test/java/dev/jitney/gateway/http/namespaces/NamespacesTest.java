package dev.jitney.gateway.http.namespaces;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.http.HttpGateway;
import dev.jitney.gateway.http.HttpGatewayOptions;
import dev.jitney.gateway.http.RecordingTunnels;
import dev.jitney.gateway.http.TestBroker;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("operators create, list and delete namespaces over HTTP")
class NamespacesTest {
    private final TestBroker broker = new TestBroker();
    private final HttpClient client = HttpClient.newHttpClient();
    private HttpGateway gateway;

    @BeforeEach
    void open() throws IOException {
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

    private HttpResponse<String> send(String method, String target, String body, String token) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + gateway.httpPort() + target))
                .method(method, BodyPublishers.ofString(body));
        if (token != null) {
            request.header("Authorization", token);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> send(String method, String target, String body) throws Exception {
        return send(method, target, body, TestBroker.token());
    }

    @Test
    @DisplayName("a namespace is created with keys that are shown once, used with them, and deleted with its content")
    void life() throws Exception {
        HttpResponse<String> answer = send("PUT", "/$namespaces/Team-B", "{\"tier\": \"premium\"}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        assertThat(answer.headers().firstValue("cache-control")).hasValue("no-store");
        JsonObject made = new JsonObject(answer.body());
        assertThat(made.getString("keyName")).isEqualTo("team-b-root");
        assertThat(made.getString("primaryKey")).hasSize(44).isNotEqualTo(made.getString("secondaryKey"));
        assertThat(made.getString("tier")).isEqualTo("PREMIUM");

        String team = TestBroker.token("https://localhost", "team-b-root", made.getString("primaryKey"));
        String queue =
                "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\"><QueueDescription"
                        + " xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\"/></content></entry>";
        assertThat(send("PUT", "/q?api-version=2021-05", queue, team).statusCode())
                .isEqualTo(201);
        assertThat(broker.broker.namespace("team-b").entity("q")).isNotNull();
        assertThat(broker.broker.namespace(null).entity("q")).isNull();

        JsonObject all = new JsonObject(send("GET", "/$namespaces", "").body());
        assertThat(all.getInteger("max")).isEqualTo(100);
        assertThat(all.getJsonArray("namespaces")).hasSize(3);
        assertThat(all.getJsonArray("namespaces").getJsonObject(2).getMap())
                .containsEntry("name", "Team-B")
                .containsEntry("origin", "run time")
                .containsEntry("entities", 1)
                .containsEntry("state", "serving");
        assertThat(all.encode()).doesNotContain(made.getString("primaryKey"));

        assertThat(send("GET", "/$namespaces", "", team).statusCode()).isEqualTo(401);
        assertThat(send("PUT", "/$namespaces/more", "", team).statusCode()).isEqualTo(401);
        assertThat(send("DELETE", "/$namespaces/team-b", "", team).statusCode()).isEqualTo(401);
        assertThat(send("DELETE", "/$namespaces/team-b", "").statusCode()).isEqualTo(204);
        assertThat(send("GET", "/q?api-version=2021-05", "", team).statusCode()).isEqualTo(401);
        assertThat(send("DELETE", "/$namespaces/team-b", "").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            PUT    | /$namespaces/first     |                          | 409
            PUT    | /$namespaces/a_b       |                          | 400
            PUT    | /$namespaces/127       |                          | 400
            PUT    | /$namespaces/localhost |                          | 400
            PUT    | /$namespaces/x         | {"tier": "GOLD"}         | 400
            PUT    | /$namespaces/x         | {"tier": 1}              | 400
            PUT    | /$namespaces/x         | {"key": "mine"}          | 400
            PUT    | /$namespaces/x         | ["tier"]                 | 400
            PUT    | /$namespaces/x         | {"keyName": "send"}      | 409
            PUT    | /$namespaces/x         | {"keyName": "a;b"}       | 400
            DELETE | /$namespaces/first     |                          | 400
            DELETE | /$namespaces/x         |                          | 404
            POST   | /$namespaces           |                          | 405
            GET    | /$namespaces/first     |                          | 405
            GET    | /$namespaces/first/x   |                          | 404
            """)
    @DisplayName("invalid requests are refused")
    void refused(String method, String target, String body, int status) throws Exception {
        HttpResponse<String> answer = send(method, target, body == null ? "" : body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(broker.broker.namespaces()).hasSize(2);
    }

    @Test
    @DisplayName("without Manage on the first namespace, all requests are refused")
    void rights() throws Exception {
        assertThat(send("GET", "/$namespaces", "", null).statusCode()).isEqualTo(401);
        assertThat(send("PUT", "/$namespaces/x", "", TestBroker.token("https://localhost", "send", "send-key"))
                        .statusCode())
                .isEqualTo(401);
        assertThat(send("PUT", "/$namespaces/x", "x".repeat(5_000)).statusCode())
                .isEqualTo(413);
    }
}
