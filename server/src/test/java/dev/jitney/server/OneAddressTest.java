package dev.jitney.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.jitney.gateway.amqp.wire.Refusals;
import dev.jitney.server.config.PlainPort;
import dev.jitney.server.tls.Tls;
import dev.jitney.testing.process.FreePorts;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

@Timeout(60)
class OneAddressTest {
    private static final byte[] SASL_HEADER = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};
    private static final String OWN_KEY = "a-key-of-our-own-0123456789";
    private static final int TLS_ALERT = 0x15;

    @TempDir
    Path dir;

    @Test
    @DisplayName("Given one port, when clients use AMQP and HTTP on it, then each gets its protocol")
    void amqpAndHttp() throws Exception {
        try (JitneyServer server = builder().port(0).build().start()) {
            int port = port(server);
            assertThat(server.httpPort()).isEqualTo(port);
            assertThat(server.ports()).isEqualTo(Map.of(port, List.of("amqp", "http")));
            assertThat(server.connectionString())
                    .isEqualTo("Endpoint=sb://localhost:" + port
                            + ";SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=SAS_KEY_VALUE"
                            + ";UseDevelopmentEmulator=true;");
            assertThat(saslHeaderOn(plain(port))).isEqualTo(SASL_HEADER);
            assertThat(get(HttpClient.newHttpClient(), "http://localhost:" + port + "/health"))
                    .isEqualTo(200);
        }
    }

    @Test
    @DisplayName(
            "Given a certificate, when clients use TLS on the one port, then AMQP and HTTP work with and without TLS")
    void insideTls() throws Exception {
        try (JitneyServer server = builder().port(0).tls(Tls.auto()).build().start()) {
            int port = port(server);
            assertThat(server.ports()).isEqualTo(Map.of(port, List.of("amqp", "http", "amqps", "https")));
            SSLContext trusting = trusting();
            HttpClient client = HttpClient.newBuilder().sslContext(trusting).build();
            assertThat(get(client, "https://localhost:" + port + "/health")).isEqualTo(200);
            assertThat(get(client, "http://localhost:" + port + "/health")).isEqualTo(200);
            assertThat(saslHeaderOn(secure(trusting, port))).isEqualTo(SASL_HEADER);
            assertThat(saslHeaderOn(plain(port))).isEqualTo(SASL_HEADER);
        }
    }

    @Test
    @DisplayName("A response over TLS has https URLs, and a connection serves several requests, also with bodies")
    void requestsInsideTls() throws Exception {
        try (JitneyServer server = builder().port(0).tls(Tls.auto()).build().start()) {
            try (SSLSocket socket = secure(trusting(), port(server))) {
                for (int i = 0; i < 3; i++) {
                    String body = "x".repeat(40_000);
                    socket.getOutputStream()
                            .write(("POST /none/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
                                            + body.length() + "\r\n\r\n" + body)
                                    .getBytes(StandardCharsets.US_ASCII));
                    assertThat(head(socket)).startsWith("HTTP/1.1 401 ");
                }
            }
        }
    }

    @Test
    @DisplayName("Given one port with TLS, when a client opens a WebSocket, then AMQP works over it")
    void webSocket() throws Exception {
        try (JitneyServer server = builder().port(0).tls(Tls.auto()).build().start()) {
            HttpClient client = HttpClient.newBuilder().sslContext(trusting()).build();
            for (String scheme : List.of("ws", "wss")) {
                CompletableFuture<byte[]> answer = new CompletableFuture<>();
                WebSocket socket = client.newWebSocketBuilder()
                        .subprotocols("AMQPWSB10")
                        .buildAsync(
                                URI.create(scheme + "://localhost:" + port(server) + "/$servicebus/websocket"),
                                new FirstMessage(answer))
                        .get(20, TimeUnit.SECONDS);
                socket.sendBinary(ByteBuffer.wrap(SASL_HEADER), true);
                assertThat(answer.get(20, TimeUnit.SECONDS)).startsWith(SASL_HEADER);
                socket.abort();
            }
        }
    }

    @Test
    @DisplayName("The protocol is detected for any division of the first bytes: one at a time, plain and over TLS")
    void oneByteAtATime() throws Exception {
        try (JitneyServer server = builder().port(0).tls(Tls.auto()).build().start()) {
            byte[] request = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
            for (Socket socket : List.of(plain(port(server)), secure(trusting(), port(server)))) {
                try (socket) {
                    trickle(socket, request);
                    assertThat(head(socket)).startsWith("HTTP/1.1 200 ");
                }
            }
            for (Socket socket : List.of(plain(port(server)), secure(trusting(), port(server)))) {
                try (socket) {
                    trickle(socket, SASL_HEADER);
                    assertThat(socket.getInputStream().readNBytes(8)).isEqualTo(SASL_HEADER);
                }
            }
        }
    }

    @Test
    @DisplayName("Requests that arrive together with the first bytes get their responses in order")
    void pipelined() throws Exception {
        try (JitneyServer server = builder().port(0).build().start();
                Socket socket = plain(port(server))) {
            String three = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n".repeat(2)
                    + "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(three.getBytes(StandardCharsets.US_ASCII));
            String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(all.split("HTTP/1.1 200", -1)).hasSize(4);
        }
    }

    @Test
    @DisplayName("Garbage gets the protocol header of AMQP, the preface of HTTP/2 a status; both are closed")
    void garbage() throws Exception {
        try (JitneyServer server = builder().port(0).tls(Tls.auto()).build().start()) {
            for (byte[] bytes : List.of(
                    new byte[] {0, 0, 0, 0},
                    "hello\n".getBytes(StandardCharsets.US_ASCII),
                    "AMQ\0".getBytes(StandardCharsets.US_ASCII),
                    "x".repeat(100).getBytes(StandardCharsets.US_ASCII),
                    new byte[] {0x16, 0x16})) {
                try (Socket socket = plain(port(server))) {
                    socket.getOutputStream().write(bytes);
                    assertThat(untilEnd(socket)).as("%s", (Object) bytes).isEqualTo(SASL_HEADER);
                }
            }
            try (Socket socket = plain(port(server))) {
                socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                assertThat(new String(untilEnd(socket), StandardCharsets.US_ASCII))
                        .matches("(?s)HTTP/\\d\\.\\d [45].*");
            }
            try (Socket socket = plain(port(server))) {
                socket.getOutputStream().write(new byte[] {0x16, 3, 1, 0, 4, 9, 9, 9, 9});
                assertThat(untilEnd(socket).length).as("an alert at most").isLessThan(20);
            }
            assertThat(get(HttpClient.newHttpClient(), "http://localhost:" + port(server) + "/health"))
                    .isEqualTo(200);
        }
    }

    @Test
    @DisplayName("Given no certificate, when clients begin TLS on any port, then they get an alert and the log"
            + " has the fix once for AMQP and HTTP")
    void tlsWithoutCertificate() throws Exception {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Logger log = (Logger) LoggerFactory.getLogger(Refusals.class);
        lines.start();
        log.addAppender(lines);
        try (JitneyServer server =
                builder().port(0).amqpPort(0).httpPort(0).build().start()) {
            assertThat(server.ports()).hasSize(3);
            for (int port : server.ports().keySet()) {
                for (int i = 0; i < 2; i++) {
                    assertThat(handshake(port))
                            .as("%s", server.ports().get(port))
                            .contains("handshake_failure");
                    try (Socket socket = plain(port)) {
                        trickle(socket, new byte[] {0x16, 3, 1});
                        assertThat(untilEnd(socket)).startsWith(TLS_ALERT);
                    }
                }
            }
            assertThat(lines.list)
                    .singleElement()
                    .asString()
                    .contains("Expected no TLS on", "--tls auto", "UseDevelopmentEmulator=true");
        } finally {
            log.detachAppender(lines);
        }
    }

    @Test
    @DisplayName("Given TLS and access for other machines, when clients connect without TLS, then they are"
            + " refused immediately with the reason")
    void plainRefused() throws Exception {
        try (JitneyServer server = builder()
                .host("0.0.0.0")
                .sasKey(OWN_KEY)
                .tls(Tls.auto())
                .port(0)
                .build()
                .start()) {
            int port = port(server);
            assertThat(server.ports()).isEqualTo(Map.of(port, List.of("amqps", "https")));
            assertThat(server.amqpPort()).isNull();
            assertThat(server.plainPortsLeftOut()).containsExactly("--amqp-port 0", "--http-port 0");
            assertThat(server.connectionString())
                    .startsWith("Endpoint=sb://localhost:" + port + ";")
                    .doesNotContain("UseDevelopmentEmulator");
            try (Socket socket = plain(port)) {
                socket.getOutputStream().write("GET /health HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                assertThat(new String(untilEnd(socket), StandardCharsets.US_ASCII))
                        .startsWith("HTTP/1.1 400 ")
                        .contains("This port needs TLS: use https://");
            }
            try (Socket socket = plain(port)) {
                socket.getOutputStream().write(SASL_HEADER);
                assertThat(untilEnd(socket)).isEmpty();
            }
            assertThat(get(
                            HttpClient.newBuilder().sslContext(trusting()).build(),
                            "https://localhost:" + port + "/health"))
                    .isEqualTo(200);
        }
    }

    @Test
    @DisplayName("A port that several options name serves the protocols of all of them")
    void merged() throws Exception {
        int port = FreePorts.of(1).get(0);
        try (JitneyServer server = builder()
                .amqpPort(port)
                .httpsPort(port)
                .plainHttp(PlainPort.OFF)
                .tls(Tls.auto())
                .build()
                .start()) {
            assertThat(server.ports()).isEqualTo(Map.of(port, List.of("amqp", "https")));
            assertThat(saslHeaderOn(plain(port))).isEqualTo(SASL_HEADER);
            assertThat(get(
                            HttpClient.newBuilder().sslContext(trusting()).build(),
                            "https://localhost:" + port + "/health"))
                    .isEqualTo(200);
            try (SSLSocket socket = secure(trusting(), port)) {
                socket.getOutputStream().write("AMQP\0\1\0\0".getBytes(StandardCharsets.US_ASCII));
                assertThat(socket.getInputStream().readAllBytes())
                        .as("no AMQP inside")
                        .isEqualTo(SASL_HEADER);
            }
        }
    }

    @Test
    @DisplayName("Given a thousand silent connections to the one port, health and AMQP still work")
    void silentConnections() throws Exception {
        List<Socket> silent = new ArrayList<>();
        try (JitneyServer server = builder().port(0).build().start()) {
            for (int i = 0; i < 1_100; i++) {
                Socket socket = plain(port(server));
                silent.add(socket);
                if (i % 2 == 0) { // a request that is never complete
                    socket.getOutputStream().write("GET /health".getBytes(StandardCharsets.US_ASCII));
                }
            }
            assertThat(get(HttpClient.newHttpClient(), "http://localhost:" + port(server) + "/health"))
                    .isEqualTo(200);
            assertThat(saslHeaderOn(plain(port(server)))).isEqualTo(SASL_HEADER);
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    @DisplayName("Clients that disconnect during or directly after protocol detection leave no resources behind")
    void leave() throws Exception {
        try (JitneyServer server = builder().port(0).build().start()) {
            for (int i = 0; i < 300; i++) {
                try (Socket socket = plain(port(server))) {
                    socket.setSoLinger(true, 0); // a reset
                    socket.getOutputStream()
                            .write("GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
                                    .substring(0, i % 33)
                                    .getBytes(StandardCharsets.US_ASCII));
                }
            }
            HttpClient client = HttpClient.newHttpClient();
            String metrics = "";
            for (int i = 0; i < 400 && !metrics.contains("jitney_http_connections 1.0"); i++) {
                metrics = client.send(
                                HttpRequest.newBuilder(URI.create("http://localhost:" + port(server) + "/metrics"))
                                        .build(),
                                BodyHandlers.ofString())
                        .body();
            }
            assertThat(metrics)
                    .contains("jitney_http_connections 1.0", "jitney_amqp_sockets 0.0")
                    .contains("jitney_memory_claimed_bytes{namespace=\"\",purpose=\"state\"} 0.0");
        }
    }

    private JitneyServerBuilder builder() {
        return JitneyServer.builder().dataDir(dir.resolve("data"));
    }

    private static int port(JitneyServer server) {
        return server.ports().keySet().iterator().next();
    }

    private static Socket plain(int port) throws IOException {
        Socket socket = new Socket("127.0.0.1", port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static SSLSocket secure(SSLContext context, int port) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("localhost", port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(20_000);
        socket.startHandshake();
        return socket;
    }

    /** Returns the error of a client that begins TLS. */
    private static String handshake(int port) throws Exception {
        try (Socket socket = secure(SSLContext.getDefault(), port)) {
            return "a session: " + socket;
        } catch (SSLHandshakeException refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    private SSLContext trusting() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(dir.resolve("data/tls/truststore.p12"))) {
            store.load(in, "changeit".toCharArray());
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private static byte[] saslHeaderOn(Socket socket) throws IOException {
        try (socket) {
            socket.getOutputStream().write(SASL_HEADER);
            return socket.getInputStream().readNBytes(8);
        }
    }

    private static void trickle(Socket socket, byte[] bytes) throws IOException {
        try {
            for (byte b : bytes) {
                socket.getOutputStream().write(b);
                socket.getOutputStream().flush();
            }
        } catch (SocketException closed) {
            // The server closed the connection.
        }
    }

    private static byte[] untilEnd(Socket socket) throws IOException {
        java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
        try {
            for (int b = socket.getInputStream().read();
                    b >= 0;
                    b = socket.getInputStream().read()) {
                all.write(b);
            }
        } catch (SocketException reset) {
            // the server had not read all bytes of the client
        }
        return all.toByteArray();
    }

    /** Returns the first line and the fields of a response, after reading its body. */
    private static String head(Socket socket) throws IOException {
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            int b = socket.getInputStream().read();
            assertThat(b).as(head.toString()).isNotNegative();
            head.append((char) b);
        }
        java.util.regex.Matcher length =
                java.util.regex.Pattern.compile("(?i)content-length: (\\d+)").matcher(head);
        socket.getInputStream().readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
        return head.toString();
    }

    private static int get(HttpClient client, String url) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .version(HttpClient.Version.HTTP_1_1)
                .method("GET", BodyPublishers.noBody())
                .build();
        HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
        return answer.statusCode();
    }

    /** Completes with the first message of a WebSocket. */
    private record FirstMessage(CompletableFuture<byte[]> answer) implements WebSocket.Listener {
        @Override
        public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
            byte[] bytes = new byte[data.remaining()];
            data.get(bytes);
            answer.complete(bytes);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            answer.completeExceptionally(error);
        }
    }
}
