package dev.jitney.server.node;

import static dev.jitney.server.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.cluster.member.NodeAwayException;
import dev.jitney.cluster.member.NodeLink;
import dev.jitney.gateway.amqp.listener.HandedSocket;
import dev.jitney.server.Eventually;
import dev.jitney.server.front.ClientGateways;
import dev.jitney.testing.process.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NodePortTest {
    private static final String RELAY = "GET /relay HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n"
            + "Upgrade: jitney-relay\r\nJitney-Protocols: amqp\r\nJitney-Client: 192.0.2.7:50123\r\n\r\n";

    private NodeHealth health = NodeHealth.HEALTHY;
    private NodeHealth synced = NodeHealth.HEALTHY;
    private volatile @Nullable ClientGateways gateways;
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger verifications = new AtomicInteger();
    private final BlockingQueue<String> leaders = new LinkedBlockingQueue<>();
    private NodePort port;
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        if (port != null) {
            port.close();
        }
    }

    @Test
    @DisplayName(
            "CL-80: GET /health answers 200 when clients are served, also degraded, and 503 otherwise, with the reasons")
    void health() throws Exception {
        open(NodePortOptions.on("127.0.0.1", 0));
        assertThat(get("/health").statusCode()).isEqualTo(200);
        assertThat(get("/health").body()).isEqualTo("{\"status\":\"healthy\",\"message\":\"Service is healthy.\"}");
        health = new NodeHealth(NodeHealth.Status.DEGRADED, List.of("Member c is away.", "\"Two\" members only."));
        assertThat(get("/health").statusCode()).isEqualTo(200);
        assertThat(get("/health").body())
                .isEqualTo("{\"status\":\"degraded\",\"message\":\"Member c is away. \\\"Two\\\" members only.\"}");
        health = NodeHealth.unhealthy("Nobody leads.");
        assertThat(get("/health").statusCode()).isEqualTo(503);
        assertThat(get("/health").body()).isEqualTo("{\"status\":\"unhealthy\",\"message\":\"Nobody leads.\"}");
        health = null;
        assertThat(get("/health").statusCode()).as("the function fails").isEqualTo(503);
    }

    @Test
    @DisplayName("CL-63: GET /health/synced answers 503 while the node is not in sync, although its clients are served")
    void synced() throws Exception {
        open(NodePortOptions.on("127.0.0.1", 0));
        assertThat(get("/health/synced").statusCode()).isEqualTo(200);
        synced = NodeHealth.unhealthy("Node b is catching up.");
        assertThat(get("/health/synced").statusCode()).isEqualTo(503);
        assertThat(get("/health/synced").body())
                .isEqualTo("{\"status\":\"unhealthy\",\"message\":\"Node b is catching up.\"}");
        assertThat(get("/health").statusCode()).isEqualTo(200);
    }

    @Test
    @DisplayName("GET /cluster answers the document of the caller; other paths and methods are not found")
    void cluster() throws Exception {
        open(NodePortOptions.on("127.0.0.1", 0));
        assertThat(get("/cluster").body()).isEqualTo("{\"leader\":\"a\"}");
        assertThat(get("/cluster?pretty").statusCode()).isEqualTo(200);
        for (String path : List.of("/", "/clusters", "/health/", "/node/echo")) {
            assertThat(get(path).statusCode()).as(path).isEqualTo(404);
        }
        assertThat(call("POST", "/health").statusCode()).isEqualTo(404);
    }

    @Test
    @DisplayName(
            "CL-20, CL-73: a relay request makes the connection one of a client, with all its bytes and its address")
    void relay() throws Exception {
        open(NodePortOptions.on("127.0.0.1", 0));
        BlockingQueue<HandedSocket> adopted = new LinkedBlockingQueue<>();
        gateways = (socket, protocols) -> {
            assertThat(protocols.servesOnlyAmqp()).isTrue();
            adopted.add(socket);
        };
        try (Socket socket = connect()) {
            socket.getOutputStream().write((RELAY + "AMQP").getBytes(StandardCharsets.US_ASCII));
            assertThat(head(socket)).startsWith("HTTP/1.1 101 Switching Protocols\r\n");
            HandedSocket handed = adopted.poll(20, TimeUnit.SECONDS);
            assertThat(handed).isNotNull();
            assertThat(handed.client()).isEqualTo(new InetSocketAddress("192.0.2.7", 50123));
            assertThat(handed.firstBytes().toString(StandardCharsets.US_ASCII)).isEqualTo("AMQP");
            assertThat(handed.channel().isRegistered()).isFalse();
            assertThat(handed.channel().pipeline().names()).as("only the tail").hasSize(1);
            assertThat(port.connections()).isZero();
            handed.close();
            assertThat(ends(socket)).isTrue();
        }
    }

    @Test
    @DisplayName(
            "CL-20: a node that does not serve clients answers a relay request with 503, and a malformed one with 400")
    void refusedRelays() throws Exception {
        open(NodePortOptions.on("127.0.0.1", 0));
        assertThat(answerTo(RELAY)).startsWith("HTTP/1.1 503 ");
        gateways = (socket, protocols) -> socket.close();
        for (String line : List.of(
                "Connection: Upgrade\r\n",
                "Upgrade: jitney-relay\r\n",
                "Jitney-Protocols: amqp\r\n",
                "Jitney-Client: 192.0.2.7:50123\r\n")) {
            assertThat(answerTo(RELAY.replace(line, ""))).as(line).startsWith("HTTP/1.1 400 ");
        }
        assertThat(answerTo(RELAY.replace("192.0.2.7", "localhost"))).startsWith("HTTP/1.1 400 ");
    }

    @Test
    @DisplayName(
            "CL-90: a presence connection stays open, and its end with ports that refuse means that the process has ended")
    void presence() throws Exception {
        int again = FreePorts.of(1).get(0); // it is opened twice
        open(NodePortOptions.on("127.0.0.1", again).withTimes(1_000, 1_000, 1_000));
        try (ServerSocket ratis = new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress())) {
            ClusterMember member = new ClusterMember("a", "127.0.0.1", ratis.getLocalPort(), port.port());
            AtomicBoolean wanted = new AtomicBoolean(true);
            Future<Boolean> ended = waits(member, wanted);
            awaitLooks();
            await(() -> looks.get() > 40); // 4 s, four times the longest time for a request
            assertThat(ended.isDone()).isFalse();
            assertThat(port.connections()).isEqualTo(1);

            wanted.set(false);
            assertThat(ended.get(20, TimeUnit.SECONDS)).as("the caller gave up").isFalse();
            awaitConnections(0);

            wanted.set(true);
            Future<Boolean> broken = waits(member, wanted);
            awaitLooks();
            port.close();
            assertThatExceptionOfType(ExecutionException.class)
                    .as("a port of the process still listens")
                    .isThrownBy(() -> broken.get(20, TimeUnit.SECONDS))
                    .withMessageContaining("it listens on port " + ratis.getLocalPort());

            open(NodePortOptions.on("127.0.0.1", member.nodePort()));
            Future<Boolean> dead = waits(member, wanted);
            awaitLooks();
            ratis.close();
            port.close();
            assertThat(dead.get(20, TimeUnit.SECONDS)).isTrue();
            assertThatExceptionOfType(IOException.class)
                    .as("there is nothing to connect to")
                    .isThrownBy(() -> new HttpNodeLink().awaitEnd(member, () -> true));
        }
    }

    /** Waits until the connection is established, from when on it checks if its caller still waits. */
    private void awaitLooks() {
        await(() -> looks.get() > 0);
    }

    private Future<Boolean> waits(ClusterMember member, AtomicBoolean wanted) {
        looks.set(0);
        return CompletableFuture.supplyAsync(() -> {
            try {
                return new HttpNodeLink().awaitEnd(member, () -> {
                    looks.incrementAndGet();
                    return wanted.get();
                });
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Test
    @DisplayName("CL-72: presence connections are bounded, and a request that is none is refused")
    void boundedPresences() throws Exception {
        open(NodePortOptions.on("127.0.0.1", 0));
        String request = "GET /presence HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: jitney-presence\r\n\r\n";
        assertThat(answerTo(request.replace("Upgrade: jitney-presence\r\n", "")))
                .startsWith("HTTP/1.1 400 ");
        List<Socket> open = new ArrayList<>();
        try {
            for (int i = 0; i < 32; i++) {
                Socket socket = connect();
                open.add(socket);
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                assertThat(head(socket)).startsWith("HTTP/1.1 101 ");
            }
            assertThat(answerTo(request)).startsWith("HTTP/1.1 503 ");
            open.remove(0).close();
            awaitConnections(31);
            Socket oneMore = connect();
            open.add(oneMore);
            oneMore.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            assertThat(head(oneMore)).startsWith("HTTP/1.1 101 ");
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    @Test
    @DisplayName("A request of another node gets its answer, with bodies of bytes; a refusal has the reason")
    void traffic() throws Exception {
        open(NodePortOptions.on("127.0.0.1", 0));
        long seed = new Random().nextLong();
        byte[] bytes = new byte[NodeLink.REQUEST_BYTES_MAX];
        new Random(seed).nextBytes(bytes);
        assertThat(ask("echo", bytes).body()).as("seed %d", seed).isEqualTo(bytes);
        assertThat(ask("echo", new byte[0]).body()).isEmpty();
        HttpResponse<byte[]> refused = ask("unknown", new byte[0]);
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(new String(refused.body(), StandardCharsets.UTF_8)).isEqualTo("Expected a known request.");
        assertThat(answerTo("POST /node/echo HTTP/1.1\r\nHost: x\r\nContent-Length: " + (NodeLink.REQUEST_BYTES_MAX + 1)
                        + "\r\n\r\n"))
                .startsWith("HTTP/1.1 413 ");
        assertThat(answerTo("POST /node/../health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 404 ");
    }

    @Test
    @DisplayName(
            "CL-56: only a node whose port refuses connections, or whose host is unknown, counts as away; one that refuses does not")
    void away() throws Exception {
        open(NodePortOptions.on("127.0.0.1", 0));
        ClusterMember refuses = new ClusterMember("a", "127.0.0.1", 1, port.port());
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> new HttpNodeLink().ask(refuses, "unknown", new byte[0]))
                .withMessage("Node 'a' refuses: Expected a known request.")
                .isNotInstanceOf(NodeAwayException.class);
        port.close();
        assertThatExceptionOfType(NodeAwayException.class)
                .isThrownBy(() -> new HttpNodeLink().ask(refuses, "echo", new byte[0]))
                .withMessageContaining("ConnectException");
        assertThatExceptionOfType(NodeAwayException.class)
                .isThrownBy(() ->
                        new HttpNodeLink().ask(new ClusterMember("b", "node-b.invalid", 1, 2), "echo", new byte[0]))
                .withMessageContaining("UnknownHostException");
    }

    @Test
    @DisplayName("CL-72: another node that does not read its answer in time is closed")
    void unreadAnswer() throws Exception {
        open(NodePortOptions.on("127.0.0.1", 0).withTimes(5_000, 5_000, 200));
        try (Socket socket = connect()) {
            socket.setReceiveBufferSize(1024);
            awaitConnections(1); // before the request, because this thread may pause for longer than the time limit
            socket.getOutputStream()
                    .write("POST /node/large HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            awaitConnections(0);
        }
    }

    @Test
    @DisplayName("CL-82: GET /metrics returns the metrics page")
    void metrics() throws Exception {
        open(NodePortOptions.on("127.0.0.1", 0));
        HttpResponse<String> answer = get("/metrics");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains("text/plain; version=0.0.4; charset=utf-8");
        assertThat(answer.body()).isEqualTo("jitney_cluster_term 5\n");
        assertThat(call("POST", "/metrics").statusCode()).isEqualTo(404);
    }

    @Test
    @DisplayName("CL-17: POST /cluster/lead moves leadership, or answers why it does not")
    void lead() throws Exception {
        open(NodePortOptions.on("127.0.0.1", 0));
        assertThat(call("POST", "/cluster/lead?node=b").statusCode()).isEqualTo(204);
        assertThat(leaders.poll()).isEqualTo("b");
        assertThat(call("POST", "/cluster/lead?node=none").statusCode()).isEqualTo(503);
        assertThat(call("POST", "/cluster/lead?node=none").body()).isEqualTo("There is no such node.");
        assertThat(call("GET", "/cluster/lead?node=b").statusCode()).isEqualTo(404);
    }

    @Test
    @DisplayName("CL-32, CL-72: POST /cluster/apply takes a file of up to 1 MiB, one at a time")
    void apply() throws Exception {
        open(NodePortOptions.on("127.0.0.1", 0));
        BodyPublisher small = BodyPublishers.ofString("{}");
        assertThat(post("/cluster/apply", small).body()).isEqualTo("Applied {}");
        assertThat(post("/cluster/apply", small).statusCode()).isEqualTo(200);
        try (Socket large =
                new Socket("127.0.0.1", port.port())) { // only the head: the port closes without reading a body
            large.getOutputStream()
                    .write("POST /cluster/apply HTTP/1.1\r\nHost: x\r\nContent-Length: 1048577\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(large.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 413");
        }
        try (Socket slow = new Socket("127.0.0.1", port.port())) {
            slow.getOutputStream()
                    .write("POST /cluster/apply HTTP/1.1\r\nHost: x\r\nContent-Length: 1048576\r\n\r\n{"
                            .getBytes(StandardCharsets.US_ASCII));
            Eventually.await(() -> status("/cluster/apply", small) == 503);
        }
        Eventually.await(() -> status("/cluster/apply", small) == 200);
    }

    private int status(String path, BodyPublisher body) {
        try {
            return post(path, body).statusCode();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private HttpResponse<String> post(String path, BodyPublisher body) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.port() + path))
                                .POST(body)
                                .build(),
                        BodyHandlers.ofString());
    }

    @Test
    @DisplayName("CL-55: POST /cluster/add and /cluster/remove change the members")
    void members() throws Exception {
        open(NodePortOptions.on("127.0.0.1", 0));
        assertThat(call("POST", "/cluster/add?node=d%3Dhost%3A7400").statusCode())
                .isEqualTo(202);
        assertThat(leaders.poll()).isEqualTo("add d=host:7400");
        assertThat(call("POST", "/cluster/remove?node=d").statusCode()).isEqualTo(204);
        assertThat(leaders.poll()).isEqualTo("remove d");
        assertThat(call("GET", "/cluster/remove?node=d").statusCode()).isEqualTo(404);
        assertThat(leaders).isEmpty();
    }

    @Test
    @DisplayName("CL-61: POST /cluster/upgrade raises the level, or answers with the reason why not")
    void upgrade() throws Exception {
        open(NodePortOptions.on("127.0.0.1", 0));
        assertThat(call("POST", "/cluster/upgrade").body()).isEqualTo("The cluster has level 2 now.");
        assertThat(call("GET", "/cluster/upgrade").statusCode()).isEqualTo(404);
        leaders.add("unable");
        HttpResponse<String> refused = call("POST", "/cluster/upgrade");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).isEqualTo("Node c does not answer.");
    }

    @Test
    @DisplayName(
            "CL-85: POST /cluster/verify begins a comparison of the nodes, GET returns its state, or why there is none")
    void verify() throws Exception {
        open(NodePortOptions.on("127.0.0.1", 0));
        assertThat(call("GET", "/cluster/verify").statusCode()).isEqualTo(503);
        assertThat(call("GET", "/cluster/verify").body()).isEqualTo("There is no comparison.");
        assertThat(call("POST", "/cluster/verify").body()).isEqualTo("{\"begun\":1}");
        assertThat(call("GET", "/cluster/verify").body()).isEqualTo("{\"begun\":1}");
        assertThat(call("PUT", "/cluster/verify").statusCode()).isEqualTo(404);
    }

    @Test
    @DisplayName(
            "CL-72: heads that are too large or malformed, bodies, and more connections than permitted are refused")
    void hostile() throws Exception {
        open(NodePortOptions.on("127.0.0.1", 0).withConnectionsMax(2));
        assertThat(answerTo("nonsense\r\n\r\n")).startsWith("HTTP/1.1 400 ");
        assertThat(answerTo("GET /" + "x".repeat(10_000) + " HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 400 ");
        assertThat(answerTo("GET /health HTTP/1.1\r\nX: " + "x".repeat(10_000) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ");
        assertThat(answerTo("POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"))
                .startsWith("HTTP/1.1 413 ");
        assertThat(answerTo("POST /health HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"))
                .startsWith("HTTP/1.1 413 ");
        awaitConnections(0);
        try (Socket first = connect();
                Socket second = connect()) {
            first.getOutputStream().write('G');
            second.getOutputStream().write('G');
            awaitConnections(2);
            try (Socket third = connect()) {
                assertThat(ends(third)).isTrue();
            }
        }
        awaitConnections(0);
        assertThat(get("/health").statusCode()).isEqualTo(200);
    }

    @Test
    @DisplayName("CL-72: a client that sends no complete head in time is closed")
    void slow() throws Exception {
        open(NodePortOptions.on("127.0.0.1", 0).withTimes(2_000, 2_000, 2_000));
        try (Socket silent = connect();
                Socket begun = connect();
                Socket idle = connect()) {
            begun.getOutputStream().write("GET /hea".getBytes(StandardCharsets.US_ASCII));
            idle.getOutputStream().write("GET /health HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(ends(silent)).isTrue();
            assertThat(ends(begun)).isTrue();
            assertThat(new String(idle.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 200 ");
        }
    }

    private void open(NodePortOptions options) throws IOException {
        NodePages pages = new NodePages() {
            @Override
            public NodeHealth health() {
                if (health == null) {
                    throw new IllegalStateException("A defect.");
                }
                return health;
            }

            @Override
            public NodeHealth synced() {
                return synced;
            }

            @Override
            public String cluster() {
                return "{\"leader\":\"a\"}";
            }

            @Override
            public String metrics() {
                return "jitney_cluster_term 5\n";
            }

            @Override
            public void lead(String node) throws IOException {
                if (node.equals("none")) {
                    throw new IOException("There is no such node.");
                }
                leaders.add(node);
            }

            @Override
            public boolean add(String node) {
                leaders.add("add " + node);
                return leaders.size() == 1;
            }

            @Override
            public void remove(String node) {
                leaders.add("remove " + node);
            }

            @Override
            public String apply(byte[] file) {
                return "Applied " + new String(file, StandardCharsets.UTF_8);
            }

            @Override
            public String upgrade() throws IOException {
                if (leaders.remove("unable")) {
                    throw new IOException("Node c does not answer.");
                }
                return "The cluster has level 2 now.";
            }

            @Override
            public String verify(boolean begin) throws IOException {
                if (!begin && verifications.get() == 0) {
                    throw new IOException("There is no comparison.");
                }
                return "{\"begun\":" + (begin ? verifications.incrementAndGet() : verifications.get()) + "}";
            }
        };
        NodeTraffic traffic = (request, body) -> switch (request) {
            case "echo" -> body;
            case "large" -> new byte[NodeLink.ANSWER_BYTES_MAX];
            default -> throw new IOException("Expected a known request.");
        };
        port = NodePort.open(options, pages, traffic, () -> gateways);
    }

    private HttpResponse<String> get(String path) throws Exception {
        return call("GET", path);
    }

    private HttpResponse<String> call(String method, String path) throws Exception {
        return client.send(request(path).method(method, BodyPublishers.noBody()).build(), BodyHandlers.ofString());
    }

    private HttpResponse<byte[]> ask(String name, byte[] body) throws Exception {
        return client.send(
                request("/node/" + name).POST(BodyPublishers.ofByteArray(body)).build(), BodyHandlers.ofByteArray());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.port() + path))
                .version(HttpClient.Version.HTTP_1_1);
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket("127.0.0.1", port.port());
        socket.setSoTimeout(20_000);
        return socket;
    }

    /** Returns everything that the port answers to bytes. */
    private String answerTo(String text) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            StringBuilder all = new StringBuilder();
            try {
                for (int b = socket.getInputStream().read();
                        b >= 0;
                        b = socket.getInputStream().read()) {
                    all.append((char) b);
                }
            } catch (SocketException reset) {
                // the port had not read all bytes
            }
            return all.toString();
        }
    }

    private static String head(Socket socket) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int b = socket.getInputStream().read();
            assertThat(b).as(head.toString()).isNotNegative();
            head.append((char) b);
        }
        return head.toString();
    }

    private static boolean ends(Socket socket) throws IOException {
        try {
            return socket.getInputStream().readAllBytes().length == 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    private void awaitConnections(int count) {
        await(() -> port.connections() == count);
    }
}
