package dev.jitney.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class HttpGatewayTest {
    private final AtomicReference<String> trouble = new AtomicReference<>();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final TestBroker broker = new TestBroker();
    private HttpGateway gateway;

    @BeforeEach
    void start() throws IOException {
        gateway = HttpGateway.start(
                new HttpGatewayOptions("127.0.0.1", 0, null, null),
                broker.broker,
                trouble::get,
                new RecordingTunnels());
    }

    @AfterEach
    void stop() {
        gateway.close();
        broker.close();
    }

    @Test
    @DisplayName("HTTP 4.2, 82: health is 200 with the emulator's body and needs no token")
    void healthy() throws Exception {
        HttpResponse<String> answer = get("/health");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("{\"status\":\"healthy\",\"message\":\"Service is healthy.\"}");
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/json; charset=utf-8");
    }

    @Test
    @DisplayName("HTTP 4.2, 82: health is 503 with the reason while something is wrong, and 200 again after")
    void unhealthy() throws Exception {
        trouble.set("The disk of store 0 is full: \"/data\".");
        HttpResponse<String> answer = get("/health");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body())
                .isEqualTo("{\"status\":\"unhealthy\",\"message\":\"The disk of store 0 is full: \\\"/data\\\".\"}");
        trouble.set(null);
        assertThat(get("/health").statusCode()).isEqualTo(200);
    }

    @Test
    @DisplayName("HTTP 2.10: a refusal is a well-formed error document whose code is the status")
    void refused() throws Exception {
        for (HttpRequest.Builder request : new HttpRequest.Builder[] {
            request("/orders?api-version=2021-05").GET(),
            request("/orders%3C%26/x").PUT(BodyPublishers.ofString("<entry/>")),
            request("/$Resources/Queues").GET(),
        }) {
            assertThat(error(request, 401))
                    .startsWith("SubCode=40102. ")
                    .contains("TrackingId:", "SystemTracker:127.0.0.1:")
                    .endsWith("Timestamp:2026-11-21T07:01:43");
        }
        assertThat(error(request("/health").POST(BodyPublishers.noBody()), 405))
                .startsWith("The specified HTTP verb (POST)");
    }

    @Test
    @DisplayName("HTTP 2.10: a target without a path is refused like any client error; found by fuzzing")
    void targetsWithoutAPath() throws Exception {
        for (String target : new String[] {"0", "*", "orders/messages"}) {
            try (RawClient client = new RawClient(gateway.httpPort())) {
                String answer = client.send("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n")
                        .answer();
                assertThat(answer).startsWith("HTTP/1.1 400 ").contains("<Code>400</Code>");
            }
        }
    }

    @Test
    @DisplayName("RFC 9112 3.2: a request with two Host headers is refused and its connection closed, on every route")
    void severalHosts() throws Exception {
        for (String line :
                new String[] {"GET /health", "GET /orders", "POST /orders/messages", "GET /$servicebus/websocket"}) {
            for (String second : new String[] {"other", "h", ""}) {
                try (RawClient client = new RawClient(gateway.httpPort())) {
                    String upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: amqp\r\n";
                    String answer = client.send(line + " HTTP/1.1\r\nHost: h\r\n"
                                    + (line.contains("websocket") ? upgrade : "") + "host: " + second + "\r\n\r\n")
                            .answer();
                    assertThat(answer)
                            .as(line)
                            .startsWith("HTTP/1.1 400 ")
                            .contains("Expected one Host header, but got 2.");
                    assertThat(client.isClosedByPeer()).isTrue();
                }
            }
        }
    }

    private String error(HttpRequest.Builder request, int status) throws Exception {
        HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/xml; charset=utf-8");
        Document error = DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(answer.body().getBytes(StandardCharsets.UTF_8)));
        assertThat(error.getElementsByTagName("Code").item(0).getTextContent()).isEqualTo(Integer.toString(status));
        return error.getElementsByTagName("Detail").item(0).getTextContent();
    }

    @Test
    @DisplayName("HTTP 70: an endless body closes the connection, endless headers are refused")
    void boundsWhatItReads() throws Exception {
        String token = "Authorization: " + TestBroker.token() + "\r\n";
        assertThat(raw("PUT /x HTTP/1.1\r\nHost: h\r\n" + token + "Content-Length: 100000000\r\n\r\n", 8 << 20))
                .matches("|HTTP/1.1 413"); // the response may or may not arrive before the reset
        assertThat(raw("GET /health HTTP/1.1\r\nHost: h\r\nX: ", 1 << 20)).startsWith("HTTP/1.1 431");
        assertThat(raw("GET /" + "x".repeat(20_000) + " HTTP/1.1\r\nHost: h\r\n\r\n", 0))
                .contains(" 414");
        assertThat(raw("\0\1\2 garbage\r\n\r\n", 0)).contains(" 400");
        assertThat(get("/health").statusCode()).isEqualTo(200);
    }

    @Test
    @DisplayName("The error for a port in use says so")
    void portInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> HttpGateway.start(
                            new HttpGatewayOptions("127.0.0.1", taken.getLocalPort(), null, null),
                            broker.broker,
                            () -> null,
                            new RecordingTunnels()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(Integer.toString(taken.getLocalPort()))
                    .hasCauseInstanceOf(BindException.class);
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.httpPort() + path));
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(request(path).build(), BodyHandlers.ofString());
    }

    /** Sends a head and then filler until the server closes the connection; returns the response, if any. */
    private String raw(String head, int filler) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.httpPort())) {
            socket.setSoTimeout(30_000);
            try {
                OutputStream out = socket.getOutputStream();
                out.write(head.getBytes(StandardCharsets.ISO_8859_1));
                byte[] piece = "x".repeat(8192).getBytes(StandardCharsets.ISO_8859_1);
                for (int sent = 0; sent < filler && socket.getInputStream().available() == 0; sent += piece.length) {
                    out.write(piece);
                }
            } catch (IOException closedByPeer) {
                // the response, if any, arrived before
            }
            StringBuilder answer = new StringBuilder();
            try {
                InputStream in = socket.getInputStream();
                for (int c = in.read(); c >= 0 && answer.length() < 12; c = in.read()) {
                    answer.append((char) c);
                }
            } catch (IOException closedByPeer) {
                // the response, if any, arrived before
            }
            return answer.toString();
        }
    }
}
