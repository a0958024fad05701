package dev.jitney.server;

import static dev.jitney.server.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.server.config.PlainPort;
import dev.jitney.server.tls.ClusterIdentity;
import dev.jitney.server.tls.Tls;
import dev.jitney.testing.amqp.RawLink;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.RawPeer;
import dev.jitney.testing.amqp.RawRequests;
import dev.jitney.testing.amqp.SasToken;
import dev.jitney.testing.amqp.WebSocketSocket;
import dev.jitney.testing.amqp.Wire;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Clients of a node that does not lead. */
@Timeout(90)
class RelayedClientsTest {
    private static final byte[] SASL_HEADER = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};

    @TempDir
    Path dir;

    private final List<MessagingStore> stores = List.of(new InMemoryMessagingStore());
    private final List<FrontNode> nodes = new ArrayList<>();

    @AfterEach
    void closeNodes() {
        nodes.forEach(FrontNode::close);
    }

    @Test
    @DisplayName("CL-20, CL-26: clients of a follower send and receive, over AMQP and WebSockets")
    void amqp() throws Exception {
        FrontNode leader = node(builder("a").port(0));
        FrontNode follower = node(builder("b").port(0));
        leader.lead();
        leader.createQueue("q");
        follower.follow(leader);
        for (Socket socket :
                List.of(connect(follower.port("amqp")), (Socket) new WebSocketSocket(follower.port("http")))) {
            try (RawPeer peer = RawPeer.silent(socket).authenticate(FrontNode.RULE, FrontNode.KEY)) {
                exchange(peer);
            }
        }
        await(() -> follower.figures().passedOn() == 0);
    }

    @Test
    @DisplayName("CL-20: TLS passes through a follower to the leader, for AMQP, HTTP and WebSockets on a shared port")
    void insideTls() throws Exception {
        FrontNode leader = node(builder("a").port(0).tls(Tls.auto()));
        FrontNode follower = node(builder("b").port(0).tls(Tls.auto()));
        leader.lead();
        leader.createQueue("q");
        follower.follow(leader);
        // The certificate of the leader, because the follower passes the handshake on.
        SSLContext trusting = trusting("a");
        int port = follower.port("amqps");
        assertThat(follower.port("https")).isEqualTo(port);
        try (RawPeer peer = RawPeer.silent(secure(trusting, port)).authenticate(FrontNode.RULE, FrontNode.KEY)) {
            exchange(peer);
        }
        HttpClient client = HttpClient.newBuilder().sslContext(trusting).build();
        assertThat(get(client, "https://localhost:" + port + "/health")).isEqualTo(200);
        assertThat(get(client, "http://localhost:" + port + "/health")).isEqualTo(200);
    }

    @Test
    @DisplayName("CL-20, CL-31: each protocol has its own port on the follower, and the leader has others")
    void separatePorts() throws Exception {
        FrontNode leader = node(builder("a").port(0).tls(Tls.auto()));
        FrontNode follower = node(
                builder("b").amqpPort(0).httpPort(0).amqpsPort(0).httpsPort(0).tls(Tls.auto()));
        leader.lead();
        leader.createQueue("q");
        follower.follow(leader);
        SSLContext trusting = trusting("a");
        try (RawPeer peer = RawPeer.plain(follower.port("amqp"), FrontNode.RULE, FrontNode.KEY)) {
            exchange(peer);
        }
        try (RawPeer peer =
                RawPeer.silent(secure(trusting, follower.port("amqps"))).authenticate(FrontNode.RULE, FrontNode.KEY)) {
            exchange(peer);
        }
        HttpClient client = HttpClient.newBuilder().sslContext(trusting).build();
        assertThat(get(client, "http://localhost:" + follower.port("http") + "/health"))
                .isEqualTo(200);
        assertThat(get(client, "https://localhost:" + follower.port("https") + "/health"))
                .isEqualTo(200);
        try (Socket wrong = connect(follower.port("http"))) {
            wrong.getOutputStream().write("AMQP\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(wrong.getInputStream().readNBytes(5), StandardCharsets.US_ASCII))
                    .as("the port serves HTTP alone")
                    .isEqualTo("HTTP/");
        }
    }

    @Test
    @DisplayName("CL-20: protocols that the leader does not serve are not served through a follower")
    void protocolsOfTheLeader() throws Exception {
        FrontNode leader = node(builder("a").amqpPort(0).plainHttp(PlainPort.OFF));
        FrontNode follower = node(builder("b").httpPort(0).plainAmqp(PlainPort.OFF));
        leader.lead();
        follower.follow(leader);
        try (Socket socket = connect(follower.port("http"))) {
            socket.getOutputStream()
                    .write("GET /health HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    @DisplayName("CL-73: the leader knows the address of the client, not that of the follower")
    void addressOfTheClient() throws Exception {
        FrontNode leader = node(builder("a").port(0));
        FrontNode follower = node(builder("b").port(0));
        leader.lead();
        follower.follow(leader);
        try (Socket socket = connect(follower.port("amqp"))) {
            socket.getOutputStream().write(SASL_HEADER);
            assertThat(socket.getInputStream().readNBytes(8)).isEqualTo(SASL_HEADER);
            assertThat(leader.passedOn).containsExactly(new InetSocketAddress("127.0.0.1", socket.getLocalPort()));
        }
    }

    @Test
    @DisplayName("CL-73: the audit log of the leader has the address of the client, for HTTP and AMQP")
    void auditOfTheLeader() throws Exception {
        List<String> clients = new CopyOnWriteArrayList<>();
        AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                event.getKeyValuePairs().stream()
                        .filter(pair -> pair.key.equals("client"))
                        .forEach(pair -> clients.add(String.valueOf(pair.value)));
            }
        };
        Logger audit = (Logger) LoggerFactory.getLogger("audit");
        audit.setLevel(Level.INFO);
        appender.start();
        audit.addAppender(appender);
        FrontNode leader = node(builder("a").port(0));
        FrontNode follower = node(builder("b").port(0));
        leader.lead();
        follower.follow(leader);
        List<String> expected = new ArrayList<>();
        try (Socket http = connect(follower.port("http"));
                Socket socket = connect(follower.port("amqp"))) {
            create(http, "/t", "TopicDescription");
            expected.add("127.0.0.1:" + http.getLocalPort());
            create(http, "/t/Subscriptions/s", "SubscriptionDescription");
            expected.add("127.0.0.1:" + http.getLocalPort());
            try (RawPeer peer = RawPeer.silent(socket).authenticate(FrontNode.RULE, FrontNode.KEY)) {
                peer.authorise(FrontNode.RULE, FrontNode.KEY);
                RawRequests.open(peer.begin(), "t/Subscriptions/s/$management")
                        .call("com.microsoft:remove-rule", Wire.map("rule-name", "$Default"), 200);
                expected.add("127.0.0.1:" + socket.getLocalPort());
            }
        } finally {
            audit.detachAppender(appender);
            audit.setLevel(null);
        }
        assertThat(clients).isEqualTo(expected);
    }

    private static void create(Socket http, String path, String type) throws IOException {
        long inAnHour = System.currentTimeMillis() / 1000 + 3600;
        String body = "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\"><" + type
                + " xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\"/></content></entry>";
        http.getOutputStream()
                .write(("PUT " + path + "?api-version=2021-05 HTTP/1.1\r\nHost: localhost\r\nAuthorization: "
                                + SasToken.create("http://localhost/", FrontNode.RULE, FrontNode.KEY, inAnHour)
                                + "\r\nContent-Type: application/atom+xml\r\nContent-Length: " + body.length()
                                + "\r\n\r\n" + body)
                        .getBytes(StandardCharsets.US_ASCII));
        InputStream in = http.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.read());
        }
        assertThat(head.toString()).startsWith("HTTP/1.1 201 ");
        Matcher length = Pattern.compile("(?i)content-length: (\\d+)").matcher(head);
        in.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
    }

    @Test
    @DisplayName("CL-20: a connection that was passed on is not passed on again")
    void onceAtMost() throws Exception {
        FrontNode leader = node(builder("a").port(0));
        FrontNode middle = node(builder("b").port(0));
        FrontNode follower = node(builder("c").port(0));
        leader.lead();
        middle.follow(leader);
        follower.follow(middle);
        try (Socket socket = connect(follower.port("amqp"))) {
            socket.getOutputStream().write(SASL_HEADER);
            await(() -> follower.figures().waiting() == 1);
            assertThat(middle.figures().openedPassages()).isZero();
            assertThat(leader.passedOn).isEmpty();
            follower.follow(leader);
            assertThat(socket.getInputStream().readNBytes(8)).isEqualTo(SASL_HEADER);
        }
        assertThat(middle.figures().openedPassages()).isZero();
    }

    @Test
    @DisplayName(
            "CL-12, CL-21, CL-22: clients of both nodes are closed when the leader changes, and then served by the new one")
    void leaderChanges() throws Exception {
        FrontNode first = node(builder("a").port(0));
        FrontNode second = node(builder("b").port(0));
        first.lead();
        first.createQueue("q");
        second.follow(first);
        try (RawPeer direct = RawPeer.plain(first.port("amqp"), FrontNode.RULE, FrontNode.KEY);
                RawPeer passedOn = RawPeer.plain(second.port("amqp"), FrontNode.RULE, FrontNode.KEY)) {
            exchange(direct);
            exchange(passedOn);
            first.loseLeadership();
            direct.connection().awaitEnd(SOON);
            passedOn.connection().awaitEnd(SOON);
        }
        first.follow(second);
        try (Socket early = connect(first.port("amqp"))) {
            early.getOutputStream().write(SASL_HEADER);
            second.lead();
            assertThat(early.getInputStream().readNBytes(8)).isEqualTo(SASL_HEADER);
        }
        for (FrontNode node : List.of(first, second)) {
            try (RawPeer peer = RawPeer.plain(node.port("amqp"), FrontNode.RULE, FrontNode.KEY)) {
                exchange(peer);
            }
        }
    }

    private static final java.time.Duration SOON = java.time.Duration.ofSeconds(20);

    /** Returns the certificate for connections between the nodes, or null for connections without TLS. */
    @Nullable
    ClusterIdentity nodeTls() throws Exception {
        return null;
    }

    private FrontNode node(JitneyServerBuilder builder) throws Exception {
        FrontNode node = FrontNode.open(builder, stores, limits -> limits, nodeTls());
        nodes.add(node);
        return node;
    }

    private JitneyServerBuilder builder(String name) {
        return JitneyServer.builder().dataDir(dir.resolve(name));
    }

    private static void exchange(RawPeer peer) {
        peer.authorise(FrontNode.RULE, FrontNode.KEY);
        RawLink sender = peer.begin().sender("q");
        String text = "x".repeat(100_000);
        sender.sendAccepted(RawMessage.ofData(text));
        RawLink receiver = peer.begin().deletingReceiver("q");
        receiver.credit(1);
        assertThat(receiver.receive().message().dataText()).isEqualTo(text);
    }

    private static Socket connect(int port) throws Exception {
        Socket socket = new Socket("127.0.0.1", port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static SSLSocket secure(SSLContext context, int port) throws Exception {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("localhost", port);
        socket.setTcpNoDelay(true);
        socket.startHandshake();
        return socket;
    }

    private SSLContext trusting(String node) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(dir.resolve(node + "/tls/truststore.p12"))) {
            store.load(in, "changeit".toCharArray());
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private static int get(HttpClient client, String url) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        return client.send(request, BodyHandlers.ofString()).statusCode();
    }
}
