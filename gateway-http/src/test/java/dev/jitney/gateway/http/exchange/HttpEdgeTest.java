package dev.jitney.gateway.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.gateway.http.RawClient;
import dev.jitney.gateway.http.TestBroker;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.ReplyListener;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The exchange package with routes of its own: {@code POST /echo}, {@code GET /open/<entity>}, {@code GET
 * /count/<entity>}.
 */
class HttpEdgeTest {
    private static final int BODY_MAX = 1_000;

    private final TestBroker broker = new TestBroker();
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private HttpEdge edge;
    private int port;

    @BeforeEach
    void start() throws Exception {
        start(60);
    }

    /** @param seconds maximum time for a client to send the head of a request, and the body */
    private void start(int seconds) throws Exception {
        start(new HttpLimits(20, 2, seconds, seconds, seconds, 100_000, 50_000, 10, 2));
    }

    private void start(HttpLimits limits) throws Exception {
        edge = new HttpEdge(vertx, broker.broker, limits, dev.jitney.runtime.client.ClientAdmission.open());
        Router router = Router.router(vertx);
        router.errorHandler(400, edge::malformed).errorHandler(500, edge::failed);
        router.route().handler(edge::begin);
        router.route().handler(edge.route(this::serve));
        HttpServer server = vertx.createHttpServer(new HttpServerOptions().setHttp2ClearTextEnabled(false))
                .connectionHandler(edge::admit)
                .invalidRequestHandler(edge::invalid)
                .requestHandler(router)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        port = server.actualPort();
    }

    @AfterEach
    void stop() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
        broker.close();
    }

    private void serve(Exchange exchange) throws RefusedException {
        RequestTarget target = exchange.target();
        String entity = target.path().substring(target.head(1).length());
        switch (target.head(1)) {
            case "echo" ->
                exchange.body(BODY_MAX)
                        .onSuccess(body -> exchange.answer(200, "text/plain", body))
                        .onFailure(exchange::fail);
            case "open" -> {
                exchange.authorize(EntityAddress.ofPath(entity), AccessRight.MANAGE, AccessRight.LISTEN);
                exchange.answer(
                        200, "text/plain", Buffer.buffer(exchange.namespace().name()));
            }
            case "count" ->
                count(
                        exchange,
                        exchange.namespace().entity(EntityAddress.ofPath(entity).path()));
            case "disabled" -> exchange.reject(Rejection.of(ErrorCode.ENTITY_DISABLED));
            default -> throw new IllegalStateException("boom");
        }
    }

    private void count(Exchange exchange, Entity entity) {
        entity.submit(new Command.GetCounts(), exchange.executor(), new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                exchange.answer(
                        200, "text/plain", Buffer.buffer(Thread.currentThread().getName()));
                exchange.answer(500); // too late: dropped
            }

            @Override
            public void onRejected(Rejection rejection) {
                exchange.reject(rejection);
            }
        });
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> open(String entity, String token) throws Exception {
        return send(request("/open/" + entity).header("Authorization", token));
    }

    @Test
    @DisplayName("HTTP 1.5, 5, 6: a token covers its audience, in every form of it")
    void opens() throws Exception {
        for (String resource : new String[] {
            "https://h",
            "http://h:5300",
            "sb://h",
            "sb://h:5300/open",
            "amqps://h/open/orders/",
            "h",
            "http://h:5300/open/orders?api-version=2021-05",
            "sb://h/ORDERS",
            "https://h/orders"
        }) {
            String token = TestBroker.token(resource, "listen", "second-key");
            assertThat(open("orders", token).statusCode()).as(resource).isEqualTo(200);
        }
    }

    @Test
    @DisplayName("HTTP 1.5, 2.10: each error of a credential has its own sub-code")
    void refusesTokens() throws Exception {
        HttpResponse<String> missing = send(request("/open/orders"));
        assertThat(missing.statusCode()).isEqualTo(401);
        assertThat(missing.body()).contains("<Code>401</Code><Detail>SubCode=40102. MissingToken: ");
        assertThat(missing.headers().firstValue("content-type")).hasValue("application/xml; charset=utf-8");
        assertRefused("orders", TestBroker.token("https://h", "listen", "wrong"), 40103);
        assertRefused("orders", TestBroker.token("https://h/ord", "listen", "listen-key"), 40104);
        assertRefused("orders", TestBroker.token("https://h/other", "listen", "listen-key"), 40104);
        assertRefused("orders", TestBroker.token("https://h", "send", "send-key"), 40100);
        assertRefused("orders", "SharedAccessSignature sr=h&sig=%&se=1&skn=n", 40105);
        assertRefused("orders", "SharedAccessSignature sr=h&se=1&skn=n", 40110);
        assertRefused("orders", "SharedAccessSignature sr=h&sig=aa&skn=n", 40108);
        assertRefused("orders", "SharedAccessSignature sig=aa&se=1&skn=n", 40107);
        assertRefused("orders", "SharedAccessSignature sr=h&sig=YWE%3D&se=1&skn=n", 40106);
        assertRefused("orders", "Basic " + Base64.getEncoder().encodeToString(new byte[] {1}), 40105);
        String jwt = "eyJhbGciOiJub25lIn0.eyJhdWQiOiJ4In0.";
        for (String other : new String[] {"Bearer " + jwt, "bearer " + jwt, jwt, "WRAP access_token=\"x\""}) {
            HttpResponse<String> refused = open("orders", other);
            assertThat(refused.statusCode()).isEqualTo(401);
            assertThat(refused.body()).contains("Expected a shared access signature, but got a token of");
        }
        assertThat(send(request("/open/orders").header("Authorization", "a").header("Authorization", "b"))
                        .statusCode())
                .isEqualTo(401);
    }

    private void assertRefused(String entity, String token, int subCode) throws Exception {
        HttpResponse<String> refused = open(entity, token);
        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(refused.body())
                .contains("<Code>401</Code><Detail>SubCode=" + subCode + ". ")
                .doesNotContain("listen-key");
    }

    @Test
    @DisplayName("HTTP 1.3: the host selects the namespace, any other name selects the first one")
    void choosesTheNamespace() throws Exception {
        String head = "GET /open/orders HTTP/1.1\r\nAuthorization: " + TestBroker.token() + "\r\n";
        for (String host : new String[] {"SECOND.example:5300", "second"}) {
            try (RawClient raw = new RawClient(port)) {
                assertThat(raw.send(head + "Host: " + host + "\r\n\r\n").answer())
                        .endsWith("\r\n\r\nsecond");
            }
        }
        for (String host : new String[] {"first.example", "elsewhere:80", "[::1]:5300", ""}) {
            try (RawClient raw = new RawClient(port)) {
                assertThat(raw.send(head + "Host: " + host + "\r\n\r\n").answer())
                        .endsWith("\r\n\r\nfirst");
            }
        }
        try (RawClient raw = new RawClient(port)) {
            assertThat(raw.send(head.replace("1.1", "1.0") + "\r\n").answer()).endsWith("first");
        }
    }

    @Test
    @DisplayName("HTTP 68: the client's request ID is echoed on request, and only then")
    void echoesRequestIds() throws Exception {
        HttpRequest.Builder asking = request("/open/q")
                .header("x-ms-client-request-id", "id-1")
                .header("x-ms-return-client-request-id", "true");
        assertThat(send(asking).headers().firstValue("x-ms-client-request-id")).hasValue("id-1");
        try (RawClient raw = new RawClient(port)) {
            String odd =
                    "GET /open/q HTTP/1.1\r\nHost: h\r\nx-ms-return-client-request-id: true\r\nx-ms-client-request-id: a";
            assertThat(raw.send(odd + "\u0001\u000bb\r\n\r\n").answer()).matches("(?s)HTTP/1.1 40[01].*");
        }
        HttpRequest.Builder notAsking = request("/open/q").header("x-ms-client-request-id", "id-1");
        assertThat(send(notAsking).headers().firstValue("x-ms-client-request-id"))
                .isEmpty();
    }

    @Test
    @DisplayName("HTTP 67: sub-code 40301 is never sent to the older Java client")
    void spares() throws Exception {
        assertThat(send(request("/disabled").header("User-Agent", "azsdk-net")).body())
                .contains("<Code>403</Code><Detail>SubCode=40301. ");
        assertThat(send(request("/disabled").header("User-Agent", "MSJavaClient/2.0"))
                        .body())
                .contains("<Code>400</Code><Detail>SubCode=40000. ");
    }

    @Test
    @DisplayName("Replies of the broker run on the event loop, and a failing handler becomes a 500 without details")
    void answersOnTheEventLoop() throws Exception {
        broker.create("a/b");
        HttpResponse<String> counted = send(request("/count/a%2Fb"));
        assertThat(counted.statusCode()).isEqualTo(200);
        assertThat(counted.body()).contains("vert.x-eventloop-thread");
        HttpResponse<String> failed = send(request("/boom"));
        assertThat(failed.statusCode()).isEqualTo(500);
        assertThat(failed.body())
                .contains("SubCode=50000. Internal Server Error")
                .doesNotContain("boom.");
        assertThat(send(request("/open/%zz".replace("%zz", "%25"))).statusCode())
                .isEqualTo(401);
        try (RawClient raw = new RawClient(port)) {
            assertThat(raw.send("GET /open/%zz HTTP/1.1\r\nHost: h\r\n\r\n").answer())
                    .startsWith("HTTP/1.1 400")
                    .contains("<Code>400</Code>");
        }
    }

    @Test
    @DisplayName("HTTP 70: a body above its limit gets 413, and the connection stays open if few bytes follow")
    void boundsBodies() throws Exception {
        assertThat(send(request("/echo").POST(BodyPublishers.ofString("x".repeat(BODY_MAX))))
                        .body())
                .hasSize(BODY_MAX);
        try (RawClient raw = new RawClient(port)) {
            String tooLarge = "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 50000\r\n\r\n" + "x".repeat(50_000);
            assertThat(raw.send(tooLarge).answer()).startsWith("HTTP/1.1 413").contains("<Code>413</Code>");
            assertThat(raw.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi")
                            .answer())
                    .endsWith("hi");
        }
        try (RawClient raw = new RawClient(port)) {
            String far = "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 5000000000\r\n\r\n";
            assertThat(raw.send(far).answer()).startsWith("HTTP/1.1 413").contains("onnection: close");
        }
        try (RawClient raw = new RawClient(port)) {
            String chunk = "4e20\r\n" + "x".repeat(20_000) + "\r\n";
            raw.send("POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
            try {
                for (int i = 0; i < 7; i++) {
                    raw.send(chunk);
                }
            } catch (java.io.IOException cutOff) {
                // a client that continues to write is disconnected, and gets the response before that
            }
            assertThat(raw.answer()).startsWith("HTTP/1.1 413");
        }
        awaitTaken(0);
    }

    @Test
    @DisplayName("RFC 9110 10.1.1: a client that waits for 100 gets it, or the refusal instead")
    void continues() throws Exception {
        String head = "POST /echo HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: ";
        try (RawClient raw = new RawClient(port)) {
            assertThat(raw.send(head + "2\r\n\r\n").answer()).startsWith("HTTP/1.1 100");
            assertThat(raw.send("hi").answer()).endsWith("hi");
        }
        try (RawClient raw = new RawClient(port)) {
            assertThat(raw.send(head + "5000\r\n\r\n").answer()).startsWith("HTTP/1.1 413");
        }
        try (RawClient raw = new RawClient(port)) {
            assertThat(raw.send(head.replace("100-continue", "tea") + "2\r\n\r\n")
                            .answer())
                    .startsWith("HTTP/1.1 417");
        }
    }

    @Test
    @DisplayName("The memory for bodies of all connections is limited, and is released after use")
    void boundsMemory() throws Exception {
        edge.memory().force(MemoryPurpose.ANSWER, 49_500);
        assertThat(send(request("/echo").POST(BodyPublishers.ofString("x".repeat(900))))
                        .statusCode())
                .isEqualTo(503);
        assertThat(send(request("/echo").POST(BodyPublishers.ofString("x".repeat(400))))
                        .statusCode())
                .isEqualTo(200);
        try (RawClient raw = new RawClient(port)) {
            raw.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 400\r\n\r\n" + "x".repeat(300));
            awaitTaken(49_800);
            raw.reset();
        }
        awaitTaken(49_500);
    }

    private void awaitTaken(long bytes) throws Exception {
        for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
                edge.memory().held() != bytes && System.nanoTime() < end; ) {
            Thread.onSpinWait();
        }
        assertThat(edge.memory().held()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GET /open/q HTTP/1.1\r\nHost: h\r\nX-Slow: ",
                "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 500\r\n\r\n",
                "GET /open/q HTTP/1.1\r\nHost: h\r\n\r\nGET /op",
            })
    @DisplayName("A client that sends a head or a body byte by byte is disconnected after a limited time")
    void endsSlowClients(String beginning) throws Exception {
        start(2);
        try (RawClient slow = new RawClient(port)) {
            slow.send(beginning);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            boolean ended = false;
            while (!ended && System.nanoTime() < end) {
                try {
                    slow.send("x");
                    java.util.concurrent.locks.LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
                } catch (java.io.IOException cutOff) {
                    ended = true;
                }
            }
            assertThat(ended).isTrue();
        }
    }

    @Test
    @DisplayName("Slow bytes do not extend the time for a head, even if a connection may be idle for long")
    void boundsTheTimeForAHead() throws Exception {
        start(new HttpLimits(20, 2, 2, 600, 600, 100_000, 50_000, 10, 2));
        endsSlowly(new RawClient(port));
        RawClient second = new RawClient(port);
        second.send("GET /boom HTTP/1.1\r\nHost: h\r\n\r\n").answer();
        endsSlowly(second);
    }

    private static void endsSlowly(RawClient client) throws Exception {
        client.send("GET /open/q HTTP/1.1\r\nHost: h\r\nX-Slow: ");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        boolean ended = false;
        while (!ended && System.nanoTime() < end) {
            try {
                client.send("x");
                java.util.concurrent.locks.LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            } catch (java.io.IOException cutOff) {
                ended = true;
            }
        }
        client.close();
        assertThat(ended).isTrue();
    }

    @Test
    @DisplayName("At the maximum of connections, the one that has waited longest for a head is closed")
    void boundsConnections() throws Exception {
        RawClient[] clients = new RawClient[22];
        for (int i = 0; i < clients.length; i++) {
            clients[i] = new RawClient(port);
            clients[i].send("GET /boom HTTP/1.1\r\nHost: h\r\n\r\n").answer();
        }
        try (RawClient surplus = new RawClient(port)) {
            assertThat(surplus.send("GET /open/q HTTP/1.1\r\nHost: h\r\n\r\n").answer())
                    .startsWith("HTTP/1.1 401");
        }
        assertThat(clients[0].isClosedByPeer()).isTrue();
        assertThat(clients[1].send("GET /open/q HTTP/1.1\r\nHost: h\r\n\r\n").answer())
                .startsWith("HTTP/1.1 401");
        assertThat(edge.displacedConnections()).isOne();
        for (RawClient each : clients) {
            each.close();
        }
    }
}
