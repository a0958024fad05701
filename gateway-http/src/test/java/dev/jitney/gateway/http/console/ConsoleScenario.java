package dev.jitney.gateway.http.console;

import dev.jitney.gateway.http.HttpGateway;
import dev.jitney.gateway.http.HttpGatewayOptions;
import dev.jitney.gateway.http.RawClient;
import dev.jitney.gateway.http.RecordingTunnels;
import dev.jitney.gateway.http.TestBroker;
import dev.jitney.gateway.http.exchange.AmqpPorts;
import dev.jitney.gateway.http.operator.backup.BackupService;
import dev.jitney.gateway.http.operator.privacy.BodyPrivacy;
import dev.jitney.gateway.http.testmode.TestServer;
import dev.jitney.runtime.client.ClientAdmission;
import dev.jitney.runtime.client.ConnectedClients;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;

/** A gateway with the console, and a client that sends the header fields that a test gives it, and no others. */
abstract class ConsoleScenario {
    final TestBroker broker = new TestBroker();
    private HttpGateway gateway;

    /** A response. Names of header fields are in lower case. */
    record Answer(int status, Map<String, String> headers, String body) {
        JsonObject json() {
            return new JsonObject(body);
        }

        /** Returns the cookie that the response sets, as the browser sends it back. */
        String cookie() {
            return headers.get("set-cookie").split(";")[0];
        }
    }

    /** Returns the rules by which clients are admitted. */
    ClientAdmission admission() {
        return ClientAdmission.open();
    }

    final void open(ConsoleAccess access) throws IOException {
        open("127.0.0.1", access);
    }

    final void open(String host, ConsoleAccess access) throws IOException {
        gateway = HttpGateway.start(
                new HttpGatewayOptions(
                        host,
                        0,
                        null,
                        null,
                        null,
                        false,
                        "1.2.3",
                        ConnectedClients.NONE,
                        access,
                        BodyPrivacy.OFF,
                        AmqpPorts.SAME,
                        TestServer.NONE,
                        admission(),
                        BackupService.NONE),
                broker.broker,
                broker.broker::trouble,
                new RecordingTunnels());
    }

    @AfterEach
    void close() {
        gateway.close();
        broker.close();
    }

    final int port() {
        return gateway.httpPort();
    }

    final String origin() {
        return "http://localhost:" + port();
    }

    /** Sends a request to localhost, as a browser does for a page of the console, with more header fields in turn. */
    final Answer own(String method, String path, String body, String... headers) throws IOException {
        List<String> all = new ArrayList<>(List.of("Host", "localhost:" + port(), "Origin", origin()));
        all.addAll(List.of(headers));
        return call(method, path, body, all.toArray(String[]::new));
    }

    /** Sends a request with header fields, whose names and values come in turn. */
    final Answer call(String method, String path, String body, String... headers) throws IOException {
        StringBuilder request = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
        for (int i = 0; i + 1 < headers.length; i += 2) {
            request.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
        }
        if (!method.equals("GET") && !method.equals("HEAD")) {
            request.append("Content-Length: ").append(body.length()).append("\r\n");
        }
        try (RawClient client = new RawClient(port())) {
            String text = client.send(request + "\r\n" + body).answer();
            int end = text.indexOf("\r\n\r\n");
            Map<String, String> fields = new TreeMap<>();
            String[] lines = text.substring(0, end).split("\r\n");
            for (int i = 1; i < lines.length; i++) {
                int colon = lines[i].indexOf(':');
                fields.merge(
                        lines[i].substring(0, colon).toLowerCase(java.util.Locale.ROOT),
                        lines[i].substring(colon + 1).strip(),
                        (first, next) -> first + "\n" + next);
            }
            return new Answer(Integer.parseInt(lines[0].split(" ")[1]), fields, text.substring(end + 4));
        }
    }

    /** Logs in with a key and returns the cookie. */
    final String login(String keyName, String key) throws IOException {
        Answer answer = own(
                "POST",
                "/console/session",
                new JsonObject().put("keyName", keyName).put("key", key).encode());
        if (answer.status() != 200) {
            throw new AssertionError("The login failed: " + answer);
        }
        return answer.cookie();
    }
}
