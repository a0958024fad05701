package dev.jitney.gateway.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.amqp.AmqpValues.Described;
import dev.jitney.gateway.amqp.RawPeer.Frame;
import dev.jitney.gateway.amqp.shared.ConnectionLimits;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.runtime.InMemoryBroker;
import dev.jitney.runtime.InMemoryEntity;
import dev.jitney.runtime.security.SharedAccessSignature;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.transactions.Coordinator;
import org.apache.qpid.protonj2.types.transactions.Declare;
import org.apache.qpid.protonj2.types.transport.Detach;
import org.apache.qpid.protonj2.types.transport.End;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests and responses, TLS, and operations that take time. */
@Timeout(60)
class AmqpNodesTest {
    private static final String RULE = "RootManageSharedAccessKey";
    private static final int ATTACH = 0x12;
    private static final int FLOW = 0x13;
    private static final int TRANSFER = 0x14;
    private static final int DISPOSITION = 0x15;
    private static final int DETACH = 0x16;
    private static final int CLOSE = 0x18;

    private final InMemoryBroker broker = new InMemoryBroker();
    private InMemoryEntity queue;
    private AmqpGateway gateway;

    @BeforeEach
    void start() {
        queue = broker.first.add(QueueDescription.named("q").build(), 1 << 20);
        start(AmqpGatewayOptions.plain("127.0.0.1", 0).withEventLoops(1));
    }

    private void start(AmqpGatewayOptions options) {
        gateway = new AmqpGateway(broker, options);
        gateway.start();
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private RawPeer anonymous() throws IOException {
        RawPeer peer = new RawPeer(gateway.plainPort()).anonymous();
        peer.frame();
        return peer.open("first");
    }

    private RawPeer authorized() throws IOException {
        RawPeer peer = new RawPeer(gateway.plainPort()).plain(RULE, InMemoryBroker.KEY);
        peer.begin(0);
        return peer;
    }

    private String token() {
        return SharedAccessSignature.create("sb://first/q", RULE, InMemoryBroker.KEY, broker.nowMs.get() / 1000 + 600);
    }

    private byte[] putToken(Object id, String replyTo, String audience) {
        return RawPeer.putToken(id, replyTo, audience, token());
    }

    private static Object correlationId(Frame response) {
        return RawPeer.sections(response.payload()).get(1).fields().get(5);
    }

    private static Object status(Frame response, String key) {
        return ((Map<?, ?>) RawPeer.sections(response.payload()).get(2).value()).get(key);
    }

    @Test
    void messageIdsComeBackInTheirType_wire15_18_19() throws Exception {
        try (RawPeer peer = anonymous()) {
            peer.begin(1);
            peer.send(1, RawPeer.sender("s", 1, "$cbs"));
            peer.send(1, RawPeer.receiver("r", 2, "$cbs").setTarget(new Target().setAddress("me")));
            peer.next(ATTACH);
            peer.next(ATTACH);
            peer.flow(1, 2, 0, 100, false, false);
            UUID uuid = UUID.randomUUID();
            List<Object> ids = List.of(UnsignedLong.valueOf(7), "seven", uuid, UnsignedLong.valueOf(0), "x", "y");
            List<Object> expected = List.of(7L, "seven", uuid, 0L, "x", "y");
            List<String> audiences = List.of(
                    "amqp://first/q",
                    "amqps://first:5671/q/",
                    "sb://FIRST/Q/$management",
                    "sb://first/q",
                    "amqp://first/q/$deadletterqueue",
                    "http://first/q?x=y");
            for (int i = 0; i < ids.size(); i++) {
                peer.message(1, 1, i, putToken(ids.get(i), "me", audiences.get(i)));
                Frame first = peer.frame();
                while (first.code() == FLOW) {
                    first = peer.frame();
                }
                Frame response = first.code() == TRANSFER ? first : peer.next(TRANSFER);
                assertThat(status(response, "status-code")).as(audiences.get(i)).isEqualTo(202L);
                assertThat(correlationId(response)).isEqualTo(expected.get(i));
            }
        }
    }

    @Test
    void unsettledRequestsAreAccepted_wire18() throws Exception {
        try (RawPeer peer = anonymous()) {
            peer.begin(0);
            peer.send(0, RawPeer.sender("s", 1, "$cbs"));
            peer.next(FLOW);
            peer.message(0, 1, 0, putToken("a", null, "sb://first/q"));
            assertThat(((Described) peer.next(DISPOSITION).field(4)).code()).isEqualTo(0x24);
        }
    }

    @Test
    void withoutReplyToTheSameSessionGetsTheAnswer_wire16() throws Exception {
        try (RawPeer peer = anonymous();
                RawPeer other = anonymous()) {
            for (RawPeer each : List.of(peer, other)) {
                each.begin(0);
                each.send(0, RawPeer.sender("s", 1, "$cbs").setSource(new Source().setAddress("$cbs")));
                each.send(0, RawPeer.receiver("r", 2, "$cbs").setTarget(new Target().setAddress("$cbs")));
                each.next(ATTACH);
                each.next(ATTACH);
                each.flow(0, 2, 0, 1, false, false);
            }
            peer.message(0, 1, 0, putToken("mine", null, "sb://first/q"));
            other.message(0, 1, 0, putToken("theirs", null, "sb://first/q"));
            assertThat(correlationId(peer.next(TRANSFER))).isEqualTo("mine");
            assertThat(correlationId(other.next(TRANSFER))).isEqualTo("theirs");
        }
    }

    @Test
    void replyToMayBeTheNameOfTheLinkOnAnotherSessionAndCreditMayComeLate_wire16_17() throws Exception {
        try (RawPeer peer = anonymous()) {
            peer.begin(0);
            peer.begin(1);
            peer.send(0, RawPeer.sender("s", 1, "$cbs"));
            peer.send(1, RawPeer.receiver("cbs-link", 2, "$cbs"));
            peer.next(ATTACH);
            peer.next(ATTACH);
            peer.message(0, 1, 0, putToken("late", "cbs-link", "sb://first/q"));
            peer.next(DISPOSITION);
            peer.flow(1, 2, 0, 1, false, false);
            Frame response = peer.next(TRANSFER);
            assertThat(response.channel()).isEqualTo(1);
            assertThat(correlationId(response)).isEqualTo("late");
        }
    }

    @Test
    void managementAnswersOnItsLinkAndChecksRights_wire55_67() throws Exception {
        try (RawPeer peer = new RawPeer(gateway.plainPort()).plain("sender", InMemoryBroker.KEY)) {
            peer.begin(0);
            peer.send(0, RawPeer.sender("s", 1, "q/$management"));
            peer.send(0, RawPeer.receiver("r", 2, "q/$management").setTarget(new Target().setAddress("me")));
            peer.next(ATTACH);
            peer.next(ATTACH);
            peer.flow(0, 2, 0, 5, false, false);
            peer.message(0, 1, 0, request("1", "com.example:nothing"));
            Frame response = peer.next(TRANSFER);
            assertThat(status(response, "statusCode")).isEqualTo(501L);
            assertThat(correlationId(response)).isEqualTo("1");
            peer.message(0, 1, 1, request("2", "com.microsoft:peek-message"));
            response = peer.next(TRANSFER);
            assertThat(status(response, "statusCode")).isEqualTo(401L);
            assertThat(status(response, "errorCondition")).isEqualTo(new AmqpValues.Symbol("amqp:unauthorized-access"));
        }
    }

    private static byte[] request(String id, String operation) {
        return request(id, operation, Map.of());
    }

    private static byte[] request(String id, String operation, Map<String, Object> body) {
        Properties properties = new Properties();
        properties.setMessageId(id);
        properties.setReplyTo("me");
        return RawPeer.encode(
                properties, new ApplicationProperties(Map.of("operation", operation)), new AmqpValue<>(body));
    }

    @Test
    void coordinatorsAreAnsweredAsCoordinators_wire79() throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.sender("c", 0, "unused").setTarget(new Coordinator()));
            Frame attach = peer.next(ATTACH);
            assertThat(((Described) attach.field(6)).code()).isEqualTo(0x30);
            peer.next(FLOW);
            peer.message(0, 0, 0, RawPeer.encode(new AmqpValue<>(new Declare())));
            Described refused = (Described) peer.next(DISPOSITION).field(4);
            assertThat(refused.code()).isEqualTo(0x25);
            peer.message(0, 0, 1, RawPeer.encode(new AmqpValue<>("nonsense")));
            assertThat(((Described) peer.next(DISPOSITION).field(4)).code()).isEqualTo(0x25);
            peer.message(0, 0, 2, new byte[] {0, 1, 2, 3});
            assertThat(((Described) peer.next(DISPOSITION).field(4)).code()).isEqualTo(0x25);
            peer.message(0, 0, 3, new byte[0]);
            assertThat(((Described) peer.next(DISPOSITION).field(4)).code()).isEqualTo(0x25);
        }
    }

    @Test
    @DisplayName("Values that are neither declare nor discharge are rejected (AMQP 4.5.5); found by fuzzing")
    void coordinatorsRejectWhatTheyCannotRead() throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.sender("c", 0, "unused").setTarget(new Coordinator()));
            peer.next(FLOW);
            List<String> payloads = List.of(
                    "00 53 77 00 53 30 00 00 00 00 30 30 30 30", // a coordinator whose fields are no list
                    "00 53 77 d1 00 00 00 08 7f ff ff fe 40 40 40 40", // a map that declares a thousand million entries
                    "00 53 77 00 53 31 d0 00 00 00 05 7f ff ff fe 40",
                    "00 53 77 00 53 32 c0 03 02 41 41"); // a discharge whose transaction is true
            for (int i = 0; i < payloads.size(); i++) {
                peer.message(0, 0, i, HexFormat.of().parseHex(payloads.get(i).replace(" ", "")));
                assertThat(((Described) peer.next(DISPOSITION).field(4)).code()).isEqualTo(0x25);
            }
        }
    }

    @Test
    void aDetachBeforeTheAttachIsAnsweredLeavesNothingBehind_wire7_3() throws Exception {
        queue.holdAttaches();
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.receiver("r", 5, "q"));
            peer.send(0, new Detach().setHandle(5).setClosed(true));
            peer.send(0, RawPeer.sender("s", 6, "q"));
            assertThat(peer.next(ATTACH).field(0)).isEqualTo("s");
            await(() -> queue.receiverCount() == 0);
            queue.answerAttaches();
            assertThat(peer.next(ATTACH).field(0)).isEqualTo("r");
            peer.next(DETACH);
            peer.send(0, RawPeer.receiver("r", 5, "q"));
            assertThat(peer.next(ATTACH).field(5)).isNotNull();
        }
    }

    @Test
    void anEndBeforeTheAttachIsAnsweredLeavesNothingBehind_wire7_3() throws Exception {
        queue.holdAttaches();
        try (RawPeer peer = authorized()) {
            peer.begin(3);
            peer.send(3, RawPeer.receiver("r", 5, "q"));
            peer.send(3, new End());
            assertThat(peer.next(0x17).channel()).isEqualTo(1);
            await(() -> queue.receiverCount() == 0);
            queue.answerAttaches();
            peer.send(0, RawPeer.sender("s", 6, "q"));
            assertThat(peer.next(ATTACH).field(0)).isEqualTo("s");
        }
    }

    @Test
    void readingPausesWhileRuleChangesAreInFlight_wire62() throws Exception {
        stop();
        start(AmqpGatewayOptions.plain("127.0.0.1", 0)
                .withEventLoops(1)
                .withLimits(new ConnectionLimits(65_536, 0, 20_000, 100_000, 10, 10, 200_000, 1 << 20, 100)));
        broker.first.add(SubscriptionDescription.of("t", "s").build(), 1 << 20);
        broker.first.ruleAnswer = new CompletableFuture<>();
        int count = 400;
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.sender("s", 0, "t/Subscriptions/s/$management"));
            peer.next(FLOW);
            byte[] request = request(
                    "1",
                    "com.microsoft:add-rule",
                    Map.of(
                            "rule-name",
                            "r",
                            "rule-description",
                            Map.of("correlation-filter", Map.of("label", "x".repeat(50_000)))));
            Thread writer = new Thread(() -> {
                try {
                    for (int i = 0; i < count; i++) {
                        peer.message(0, 0, i, request);
                    }
                } catch (IOException closed) {
                    throw new IllegalStateException(closed);
                }
            });
            writer.start();
            await(() -> broker.first.ruleChanges.size() >= 4);
            try (RawPeer other = authorized()) { // on the same event loop: the gateway has had time to read more
                other.send(0, RawPeer.sender("s", 0, "q"));
                other.next(FLOW);
                for (int i = 0; i < 50; i++) {
                    other.flow(0, 0, 0, 0, false, true);
                    other.next(FLOW);
                }
            }
            assertThat(broker.first.ruleChanges).hasSizeLessThan(20);
            broker.first.ruleAnswer.complete(null);
            await(() -> broker.first.ruleChanges.size() == count);
            writer.join(30_000);
        }
    }

    @Test
    void readingPausesWhileTooMuchIsInFlight_quota8() throws Exception {
        stop();
        start(AmqpGatewayOptions.plain("127.0.0.1", 0)
                .withEventLoops(1)
                .withLimits(new ConnectionLimits(65_536, 0, 20_000, 100_000, 10, 10, 200_000, 1 << 20, 100)));
        queue.holdSends();
        int count = 400;
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.sender("s", 0, "q"));
            peer.next(FLOW);
            byte[] message = RawPeer.message(new byte[50_000]);
            Thread writer = new Thread(() -> {
                try {
                    for (int i = 0; i < count; i++) {
                        peer.message(0, 0, i, message);
                    }
                } catch (IOException closed) {
                    throw new IllegalStateException(closed);
                }
            });
            writer.start();
            await(() -> queue.heldSendCount() >= 4);
            try (RawPeer other = authorized()) { // on the same event loop: the gateway has had time to read more
                other.send(0, RawPeer.sender("s", 0, "q"));
                other.next(FLOW);
                for (int i = 0; i < 50; i++) {
                    other.flow(0, 0, 0, 0, false, true);
                    other.next(FLOW);
                }
            }
            assertThat(queue.heldSendCount()).isLessThan(20);
            assertThat(writer.isAlive()).as("the socket is full").isTrue();
            while (queue.activeCount() < count) {
                queue.answerSends();
                Thread.onSpinWait();
            }
            writer.join(30_000);
            queue.answerSends();
            long settled = 0;
            while (settled < count) {
                Frame disposition = peer.next(DISPOSITION);
                long first = (long) disposition.field(1);
                settled += disposition.field(2) == null ? 1 : (long) disposition.field(2) - first + 1;
            }
        }
    }

    @Test
    void unauthenticatedPeersMayOpenFewSessions() throws Exception {
        try (RawPeer peer = anonymous()) {
            for (int i = 0; i < 32; i++) {
                peer.begin(i);
            }
            peer.send(
                    50,
                    new org.apache.qpid.protonj2.types.transport.Begin()
                            .setNextOutgoingId(1)
                            .setIncomingWindow(1)
                            .setOutgoingWindow(1));
            assertThat(peer.next(CLOSE)).isNotNull();
        }
    }

    @Test
    void tlsServesTheSameAndItsServerNameSelectsTheNamespace_wire12(@TempDir Path directory) throws Exception {
        stop();
        start(AmqpGatewayOptions.plain("127.0.0.1", 0).withEventLoops(1).withTls(0, serverTls(directory)));
        broker.second.add(QueueDescription.named("only-second").build(), 1000);
        SSLContext client = SSLContext.getInstance("TLS");
        client.init(null, new TrustManager[] {new TrustEverybody()}, null);
        try (Socket plain = new Socket("127.0.0.1", gateway.tlsPort());
                SSLSocket socket =
                        (SSLSocket) client.getSocketFactory().createSocket(plain, "127.0.0.1", plain.getPort(), true)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName("second.example")));
            socket.setSSLParameters(parameters);
            try (RawPeer peer = new RawPeer(socket)) {
                peer.sasl("PLAIN", ("\0" + RULE + "\0" + InMemoryBroker.KEY).getBytes());
                peer.frame();
                peer.open(null);
                peer.begin(0);
                peer.send(0, RawPeer.sender("s", 0, "only-second"));
                assertThat(peer.next(ATTACH).field(6)).isNotNull();
            }
        }
    }

    private static io.netty.handler.ssl.SslContext serverTls(Path directory) throws Exception {
        Path store = directory.resolve("server.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        "changeit",
                        "-keystore",
                        store.toString())
                .redirectErrorStream(true)
                .start();
        keytool.getInputStream().readAllBytes();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, "changeit".toCharArray());
        }
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, "changeit".toCharArray());
        return SslContextBuilder.forServer(factory).build();
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(end);
            Thread.onSpinWait();
        }
    }

    /** A trust manager that accepts every certificate; the certificate is not under test. */
    private static final class TrustEverybody implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
