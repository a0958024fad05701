package dev.jitney.server.node;

import static dev.jitney.server.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.gateway.amqp.listener.HandedSocket;
import dev.jitney.server.front.ClientGateways;
import dev.jitney.server.tls.ClusterCertificates;
import dev.jitney.server.tls.ClusterIdentity;
import dev.jitney.server.tls.TestAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The node port with TLS, and the programs that may use it. */
@Timeout(90)
class NodePortTlsTest {
    private static final String HOST = "127.0.0.1";
    private static final String RELAY = "GET /relay HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n"
            + "Upgrade: jitney-relay\r\nJitney-Protocols: amqp\r\nJitney-Client: 192.0.2.7:50123\r\n\r\n";
    private static final String PRESENCE =
            "GET /presence HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: jitney-presence\r\n\r\n";

    @TempDir
    Path dir;

    private TestAuthority authority;
    private ClusterIdentity identity;
    private NodePort port;
    private final LinkFaults faults = new LinkFaults();
    private final AtomicInteger changes = new AtomicInteger();
    private final AtomicInteger looks = new AtomicInteger();
    private volatile @Nullable ClientGateways gateways;

    @BeforeEach
    void make() throws Exception {
        authority = new TestAuthority(dir.resolve("ca"));
        identity = identity(authority.node("a", HOST));
    }

    @AfterEach
    void close() {
        if (port != null) {
            port.close();
        }
    }

    @Test
    @DisplayName(
            "CL-71: a node may do everything, an operator only what is for operators, and a program without a certificate gets the status only")
    void rights() throws Exception {
        open(NodePortOptions.on(HOST, 0));
        SSLContext node = TestAuthority.unchecked(authority.node("b", HOST));
        SSLContext operator = TestAuthority.unchecked(authority.operator());
        SSLContext stranger = TestAuthority.stranger();
        for (String page :
                List.of("GET /cluster", "GET /metrics", "POST /cluster/verify", "POST /cluster/lead?node=b")) {
            assertThat(status(node, page)).as(page).isBetween(200, 204);
            assertThat(status(operator, page)).as(page).isBetween(200, 204);
            int before = changes.get();
            assertThat(ask(stranger, page))
                    .as(page)
                    .startsWith("HTTP/1.1 403 ")
                    .contains("Expected a certificate of the cluster's authority, but got none.");
            assertThat(changes).hasValue(before);
        }
        assertThat(status(node, "POST /node/echo")).isEqualTo(200);
        gateways = (socket, protocols) -> socket.close();
        for (SSLContext other : List.of(operator, stranger)) {
            int before = changes.get();
            assertThat(status(other, "POST /node/echo")).isEqualTo(403);
            assertThat(exchange(other, RELAY)).startsWith("HTTP/1.1 403 ");
            assertThat(exchange(other, PRESENCE)).startsWith("HTTP/1.1 403 ");
            assertThat(changes).hasValue(before);
        }
        assertThat(exchange(operator, RELAY)).contains("Expected the certificate of a node for this request");
    }

    @Test
    @DisplayName("CL-80, CL-71: a program without a certificate gets the health but no reasons; its connection ends")
    void health() throws Exception {
        open(NodePortOptions.on(HOST, 0));
        assertThat(ask(TestAuthority.unchecked(authority.operator()), "GET /health"))
                .startsWith("HTTP/1.1 503 ")
                .contains("The secret reason.");
        assertThat(exchange(TestAuthority.stranger(), "GET /health HTTP/1.1\r\nHost: x\r\n\r\n"))
                .startsWith("HTTP/1.1 503 ")
                .contains("connection: close", "\"status\":\"unhealthy\"")
                .doesNotContain("secret");
    }

    @Test
    @DisplayName("CL-71: metrics are for programs without a certificate only if the option says so")
    void openMetrics() throws Exception {
        open(NodePortOptions.on(HOST, 0).withOpenMetrics(true));
        assertThat(ask(TestAuthority.stranger(), "GET /metrics")).contains("jitney_cluster_term 5");
        assertThat(status(TestAuthority.stranger(), "GET /cluster")).isEqualTo(403);
    }

    @Test
    @DisplayName("CL-71: self-signed, foreign and expired certificates end the handshake")
    void wrongCertificates() throws Exception {
        open(NodePortOptions.on(HOST, 0));
        TestAuthority foreign = new TestAuthority(dir.resolve("foreign"));
        ClusterCertificates ownAuthority = new ClusterCertificates(
                dir.resolve("foreign/ca.pem"), dir.resolve("foreign/ca-key.pem"), dir.resolve("foreign/ca.pem"));
        for (ClusterCertificates wrong :
                List.of(foreign.node("a", HOST), ownAuthority, authority.expired("old", HOST))) {
            for (String request : List.of("GET /health", "POST /node/echo")) {
                assertThatExceptionOfType(IOException.class)
                        .as("%s", wrong)
                        .isThrownBy(() -> ask(TestAuthority.unchecked(wrong), request))
                        .satisfies(e -> assertThat(e).isInstanceOfAny(SSLException.class, SocketException.class));
            }
        }
        assertThat(changes).hasValue(0);
    }

    @Test
    @DisplayName("CL-70: a connection without TLS gets a sentence with the option, and reads and changes nothing")
    void withoutTls() throws Exception {
        open(NodePortOptions.on(HOST, 0));
        try (Socket socket = new Socket(HOST, port.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write("POST /node/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 426 Upgrade Required\r\n")
                    .contains("Expected TLS", "--cluster-tls CERT,KEY,CA");
        }
        assertThat(changes).hasValue(0);
    }

    @Test
    @DisplayName("CL-70: TLS 1.2 and 1.3 are accepted, older versions and other suites are not")
    void versions() throws Exception {
        open(NodePortOptions.on(HOST, 0));
        for (String version : List.of("TLSv1.2", "TLSv1.3")) {
            try (SSLSocket socket = socket(TestAuthority.unchecked(authority.node("b", HOST)))) {
                socket.setEnabledProtocols(new String[] {version});
                assertThat(exchange(socket, "POST /node/echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
                        .startsWith("HTTP/1.1 200 ");
                assertThat(socket.getSession().getProtocol()).isEqualTo(version);
            }
        }
        try (SSLSocket socket = socket(TestAuthority.unchecked(authority.node("b", HOST)))) {
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            socket.setEnabledCipherSuites(new String[] {"TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA"});
            assertThatExceptionOfType(SSLException.class).isThrownBy(socket::startHandshake);
        }
    }

    @Test
    @DisplayName(
            "CL-72: silent handshakes end in time, and the oldest one when there are too many, so a node still connects")
    void silentHandshakes() throws Exception {
        open(NodePortOptions.on(HOST, 0).withTimes(3_000, 3_000, 3_000));
        HttpNodeLink link = new HttpNodeLink(identity(authority.node("b", HOST)), new LinkFaults());
        ClusterMember member = new ClusterMember("a", HOST, 1, port.port());
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 4 * Handshakes.WAITING_MAX; i++) {
                Socket socket = new Socket(HOST, port.port());
                socket.setSoTimeout(20_000);
                silent.add(socket);
                if (i % 2 == 0) {
                    socket.getOutputStream().write(new byte[] {0x16, 3, 1, 2, 0, 1}); // a hello that never ends
                }
            }
            await(() -> port.handshakes() == Handshakes.WAITING_MAX);
            assertThat(link.ask(member, "echo", new byte[] {7})).containsExactly(7);
            assertThat(ends(silent.get(0))).as("the oldest one").isTrue();
            long begun = System.nanoTime();
            assertThat(ends(silent.get(silent.size() - 1))).as("the latest one").isTrue();
            assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(10));
            await(() -> port.handshakes() == 0);
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
        await(() -> port.connections() <= 1); // the link keeps its connection
        assertThat(link.ask(member, "echo", new byte[] {8})).containsExactly(8);
    }

    @Test
    @DisplayName("CL-72: hostile bytes in a handshake end the connection, and the port continues")
    void hostileBytes() throws Exception {
        open(NodePortOptions.on(HOST, 0).withTimes(2_000, 2_000, 2_000));
        Random random = new Random(7);
        for (int i = 0; i < 200; i++) {
            byte[] bytes = new byte[random.nextInt(3_000) + 6];
            random.nextBytes(bytes);
            if (i % 3 != 0) {
                byte[] head = {0x16, 3, (byte) random.nextInt(4), (byte) random.nextInt(70), (byte) random.nextInt(), 1
                };
                System.arraycopy(head, 0, bytes, 0, head.length);
            }
            try (Socket socket = new Socket(HOST, port.port())) {
                socket.getOutputStream().write(bytes);
            } catch (SocketException closed) {
                // the port has closed it before all bytes were sent
            }
        }
        await(() -> port.handshakes() == 0);
        assertThat(status(TestAuthority.unchecked(authority.node("b", HOST)), "POST /node/echo"))
                .isEqualTo(200);
        await(() -> port.connections() == 0);
    }

    @Test
    @DisplayName("CL-20: a relay over TLS becomes the connection of a client, with TLS of the nodes below it")
    void relay() throws Exception {
        open(NodePortOptions.on(HOST, 0));
        BlockingQueue<HandedSocket> adopted = new LinkedBlockingQueue<>();
        gateways = (socket, protocols) -> adopted.add(socket);
        try (SSLSocket socket = socket(TestAuthority.unchecked(authority.node("b", HOST)))) {
            socket.getOutputStream().write((RELAY + "AMQP").getBytes(StandardCharsets.US_ASCII));
            HandedSocket handed = adopted.poll(20, TimeUnit.SECONDS);
            assertThat(handed).isNotNull();
            assertThat(handed.firstBytes().toString(StandardCharsets.US_ASCII)).isEqualTo("AMQP");
            assertThat(handed.channel().pipeline().get(io.netty.handler.ssl.SslHandler.class))
                    .as("gateways must not take it for the TLS of the client")
                    .isNull();
            assertThat(port.connections()).isZero();
            handed.close();
        }
    }

    @Test
    @DisplayName("CL-90: the end of a process is noticed over TLS, with close_notify and without it")
    void presence() throws Exception {
        try (ServerSocket ratis = new ServerSocket(0, 1, InetAddress.getByName(HOST));
                ServerSocket silent = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            open(NodePortOptions.on(HOST, 0));
            ClusterMember orderly = new ClusterMember("a", HOST, ratis.getLocalPort(), port.port());
            Future<Boolean> closed = waits(orderly);
            await(() -> looks.get() > 0);
            ratis.close();
            port.close();
            assertThat(closed.get(20, TimeUnit.SECONDS)).isTrue();

            // A process that is killed: the operating system closes its socket, and nothing is sent in TLS.
            ClusterMember killed = new ClusterMember("a", HOST, orderly.raftPort(), silent.getLocalPort());
            Future<Boolean> dead = waits(killed);
            Socket accepted = silent.accept();
            SSLSocket server = (SSLSocket)
                    identity.sockets().getSocketFactory().createSocket(accepted, null, accepted.getPort(), false);
            server.setUseClientMode(false);
            server.setNeedClientAuth(true);
            byte[] request = new byte[PRESENCE.length()];
            assertThat(server.getInputStream().read(request)).isPositive();
            server.getOutputStream()
                    .write("HTTP/1.1 101 Switching Protocols\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            silent.close();
            accepted.close(); // the socket below TLS
            assertThat(dead.get(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    private Future<Boolean> waits(ClusterMember member) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return new HttpNodeLink(identity(authority.node("b", HOST)), new LinkFaults())
                        .awaitEnd(member, () -> looks.incrementAndGet() > 0);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    @DisplayName(
            "CL-70: nodes with and without TLS, of two authorities, and with a wrong host name say so on both sides")
    void unequalNodes() throws Exception {
        open(NodePortOptions.on(HOST, 0));
        ClusterMember secure = new ClusterMember("a", HOST, 1, port.port());
        assertFault(null, secure, "Node 'a' accepts TLS only, and this node uses none.");
        assertFault(
                identity(new TestAuthority(dir.resolve("foreign")).node("b", HOST)),
                secure,
                "The certificate that node 'a' shows is not of the authority in --cluster-tls.");
        try (ServerSocket stranger = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            CompletableFuture.runAsync(() -> answerInPlainText(stranger));
            assertFault(
                    identity,
                    new ClusterMember("c", HOST, 1, stranger.getLocalPort()),
                    "Node 'c' answers without TLS, and this node uses it.");
        }
        port.close();
        identity = identity(authority.node("elsewhere", "other.example"), "other.example");
        open(NodePortOptions.on("127.0.0.2", 0));
        assertFault(
                identity(authority.node("b", HOST)),
                new ClusterMember("a", "127.0.0.2", 1, port.port()),
                "The certificate of node 'a' is not for its host 127.0.0.2 in --cluster-nodes.");
    }

    private static void answerInPlainText(ServerSocket listener) {
        try (Socket socket = listener.accept()) {
            socket.getInputStream().read(new byte[100]);
            socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assertFault(@Nullable ClusterIdentity own, ClusterMember to, String sentence) {
        LinkFaults faults = new LinkFaults();
        HttpNodeLink link = new HttpNodeLink(own, faults);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> link.ask(to, "echo", new byte[] {1}))
                .withMessageContaining(sentence);
        assertThat(faults.current()).singleElement().asString().contains(sentence);
    }

    private static ClusterIdentity identity(ClusterCertificates files) throws Exception {
        return identity(files, HOST);
    }

    private static ClusterIdentity identity(ClusterCertificates files, String host) throws Exception {
        return files.ofNode(host, System.currentTimeMillis());
    }

    private void open(NodePortOptions options) throws IOException {
        NodePages pages = new NodePages() {
            @Override
            public NodeHealth health() {
                return NodeHealth.unhealthy("The secret reason.");
            }

            @Override
            public NodeHealth synced() {
                return health();
            }

            @Override
            public String cluster() {
                return "{}";
            }

            @Override
            public String metrics() {
                return "jitney_cluster_term 5\n";
            }

            @Override
            public void lead(String node) {
                changes.incrementAndGet();
            }

            @Override
            public boolean add(String node) {
                throw new IllegalStateException("Expected no order.");
            }

            @Override
            public void remove(String node) {
                throw new IllegalStateException("Expected no order.");
            }

            @Override
            public String apply(byte[] file) throws IOException {
                throw new IOException("Expected no file.");
            }

            @Override
            public String upgrade() {
                return "";
            }

            @Override
            public String verify(boolean begin) {
                changes.incrementAndGet();
                return "{}";
            }
        };
        NodeTraffic traffic = (request, body) -> {
            changes.incrementAndGet();
            return body;
        };
        port = NodePort.open(options, identity, faults, pages, traffic, () -> gateways);
    }

    private int status(SSLContext context, String request) throws IOException {
        return Integer.parseInt(ask(context, request).split(" ", 3)[1]);
    }

    private String ask(SSLContext context, String request) throws IOException {
        return exchange(context, request + " HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    }

    private String exchange(SSLContext context, String request) throws IOException {
        try (SSLSocket socket = socket(context)) {
            return exchange(socket, request);
        }
    }

    private static String exchange(SSLSocket socket, String request) throws IOException {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private SSLSocket socket(SSLContext context) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(HOST, port.port());
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static boolean ends(Socket socket) throws IOException {
        try {
            socket.getInputStream().readAllBytes();
            return true;
        } catch (SocketException reset) {
            return true;
        }
    }
}
