package dev.jitney.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.gateway.http.testmode.TestModeAccess;
import dev.jitney.runtime.Clock;
import dev.jitney.server.config.PlainPort;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The requests of tests")
class TestModeTest {
    private static final String JSON = "application/json";
    private @Nullable JitneyServer server;

    @AfterEach
    void close() {
        if (server != null) {
            server.close();
        }
    }

    private JitneyServerBuilder builder(TestModeAccess access) {
        return JitneyServer.builder()
                .inMemory(true)
                .testMode(access)
                .plainAmqp(PlainPort.unasked(0))
                .plainHttp(PlainPort.unasked(0))
                .port(0);
    }

    private void start(TestModeAccess access) throws StartException {
        server = builder(access).build().start();
    }

    private record Answer(int status, String body) {}

    /** Sends a request as written, because an HTTP client does not let a test choose every header. */
    private Answer send(String method, String path, String host, @Nullable String type, String body)
            throws IOException {
        try (Socket socket =
                new Socket("127.0.0.1", Objects.requireNonNull(server).httpPort())) {
            OutputStream out = socket.getOutputStream();
            out.write((method + " /$test/" + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n"
                            + (type == null ? "" : "Content-Type: " + type + "\r\n") + "Content-Length: "
                            + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body)
                    .getBytes(StandardCharsets.UTF_8));
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            socket.getInputStream().transferTo(all);
            String text = all.toString(StandardCharsets.UTF_8);
            int end = text.indexOf("\r\n\r\n");
            return new Answer(Integer.parseInt(text.substring(9, 12)), text.substring(end + 4));
        }
    }

    private Answer post(String path, String body) throws IOException {
        return send("POST", path, "localhost", JSON, body);
    }

    private Answer get(String path) throws IOException {
        return send("GET", path, "localhost", null, "");
    }

    private static String message(Answer answer) {
        return new JsonObject(answer.body).getJsonObject("error").getString("message");
    }

    @Test
    @DisplayName("do not exist without test mode, and the server has no other clock")
    void off() throws Exception {
        start(TestModeAccess.OFF);
        for (Answer answer : List.of(get("clock"), post("clock", "{\"advance\": \"PT1H\"}"), post("reset", "{}"))) {
            assertThat(answer.status).isEqualTo(404);
            assertThat(message(answer))
                    .isEqualTo(
                            "This server is not in test mode. Start it with --test-mode to control it by requests below"
                                    + " /$test.");
        }
    }

    @Test
    @DisplayName("are refused to names that may belong to a web page, and to bodies that a form can send")
    void pages() throws Exception {
        start(TestModeAccess.LOOPBACK);
        assertThat(send("GET", "clock", "rebound.example", null, "").status).isEqualTo(403);
        assertThat(send("GET", "clock", "127.0.0.1:1", null, "").status).isEqualTo(200);
        for (String type : new String[] {null, "text/plain", "application/x-www-form-urlencoded"}) {
            Answer answer = send("POST", "reset", "localhost", type, "{}");
            assertThat(answer.status).isEqualTo(415);
            assertThat(message(answer)).isEqualTo("Expected the header 'Content-Type: application/json'.");
        }
    }

    @Test
    @DisplayName("serve every name with --test-mode any")
    void any() throws Exception {
        start(TestModeAccess.ANY);
        assertThat(send("GET", "clock", "jitney", null, "").status).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            clock      | {"advance": 5}                 | 400 | Expected a text in 'advance'.
            clock      | {"advance": "5m"}              | 400 | Expected a time from PT0S to P1000D in 'advance', such as PT5M for 5 minutes, but got '5m'.
            clock      | {"advance": "P1001D"}          | 400 | Expected a time from PT0S to P1000D in 'advance', such as PT5M for 5 minutes, but got 'P1001D'.
            clock      | {"speed": 1001}                | 400 | Expected a number from 0 to 1000 in 'speed', but got '1001'.
            clock      | {"back": true}                 | 400 | Expected the members [advance, speed], but got 'back'.
            clock      | []                             | 400 | Expected a JSON object in the body of the request.
            reset      | {"namespace": "none"}          | 404 | There is no namespace 'none'.
            faults     | {}                             | 400 | Expected a text in 'fault'.
            faults     | {"fault": "loseLocks", "entity": "q"} | 404 | Expected a queue or topic, or a subscription as topic/Subscriptions/name, but the namespace 'sbemulatorns' has no 'q'.
            faults     | {"fault": "stopStore", "store": 1}    | 400 | Expected a number from 0 to 0 in 'store', but got '1'.
            faults     | {"fault": "delay"}             | 400 | Expected a number from 0 to 3600000 in 'delayMs'.
            idle       | {"timeoutMs": -1}              | 400 | Expected a number from 0 to 300000 in 'timeoutMs', but got '-1'.
            namespaces | {"config": {"Queues": [{"Name": "q", "Properties": {"MaxDeliveryCount": 0}}]}} | 400 | config.Queues[0].Properties.MaxDeliveryCount: Expected a whole number from 1 to 2147483647, but got 0.
            namespaces | {"config": {"Throttling": 5}}  | 400 | config: Expected the members Queues, Topics and Tier. Access rules and quotas of a namespace that is created at run time are those of the server.
            namespaces | {"config": 5}                  | 400 | Expected a JSON object in 'config'.
            namespaces | {"name": "a_b"}                | 400 |
            else       | {}                             | 404 | Expected /$test/namespaces, /namespaces/NAME, /reset, /clock, /idle, /faults or /history below /$test.
            """)
    @DisplayName("refuse bad input with the name of the field")
    void badInput(String path, String body, int status, @Nullable String sentence) throws Exception {
        start(TestModeAccess.LOOPBACK);
        Answer answer = post(path, body);
        assertThat(answer.status).as(answer.body).isEqualTo(status);
        if (sentence != null) {
            assertThat(message(answer)).isEqualTo(sentence);
        }
        assertThat(new JsonObject(get("namespaces").body).getJsonArray("namespaces"))
                .hasSize(1);
    }

    @Test
    @DisplayName("create a namespace whole or not at all")
    void wholeOrNothing() throws Exception {
        start(TestModeAccess.LOOPBACK);
        Answer refused = post(
                "namespaces",
                "{\"name\": \"half\", \"config\": {\"Queues\": [{\"Name\": \"q\"},"
                        + " {\"Name\": \"r\", \"Properties\": {\"ForwardTo\": \"nowhere\"}}]}}");
        assertThat(refused.status).as(refused.body).isEqualTo(400);
        assertThat(get("namespaces").body).doesNotContain("half");
        assertThat(post("namespaces", "{\"name\": \"half\"}").status).isEqualTo(201);
        Answer again = post("namespaces", "{\"name\": \"HALF\"}");
        assertThat(again.status).as(again.body).isEqualTo(409);
    }

    @Test
    @DisplayName("create far more namespaces than a server for production has, each with its key")
    void many() throws Exception {
        start(TestModeAccess.LOOPBACK);
        long distinct = IntStream.range(0, 300)
                .mapToObj(i -> {
                    try {
                        Answer made = post("namespaces", "{\"config\": {\"Queues\": [{\"Name\": \"q\"}]}}");
                        assertThat(made.status).as(made.body).isEqualTo(201);
                        return new JsonObject(made.body).getString("connectionString");
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                })
                .distinct()
                .count();
        assertThat(distinct).isEqualTo(300);
        assertThat(send("DELETE", "namespaces/test-7", "localhost", null, "").status)
                .isEqualTo(204);
        assertThat(send("DELETE", "namespaces/test-7", "localhost", null, "").status)
                .isEqualTo(404);
    }

    @Test
    @DisplayName("need a clock that can be moved")
    void refusedOptions() {
        assertThatThrownBy(() -> builder(TestModeAccess.ANY)
                        .clock(Clock.system())
                        .build()
                        .start())
                .isInstanceOf(StartException.class)
                .hasMessageContaining("AdjustableClock");
    }
}
