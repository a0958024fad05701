package dev.jitney.gateway.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.amqp.AmqpValues.Described;
import dev.jitney.gateway.amqp.RawPeer.Frame;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.InMemoryBroker;
import dev.jitney.runtime.security.SharedAccessSignature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections and links while access rules change that permit them (ENT-4, wire reference 2.5). */
@Timeout(60)
class AccessRuleChangesTest {
    private static final int ATTACH = 0x12;
    private static final int FLOW = 0x13;
    private static final int TRANSFER = 0x14;
    private static final int DISPOSITION = 0x15;
    private static final int DETACH = 0x16;
    private static final int CLOSE = 0x18;
    private static final AccessRule ADMIN = new AccessRule("admin", Set.of(AccessRight.MANAGE), "admin-key", null);
    private static final AccessRule APP =
            new AccessRule("app", Set.of(AccessRight.SEND, AccessRight.LISTEN), "app-1", "app-2");

    private final InMemoryBroker broker = new InMemoryBroker();
    private AmqpGateway gateway;

    @BeforeEach
    void start() {
        rulesOf("q", List.of());
        rulesOf("other", List.of());
        broker.first.rules(List.of(ADMIN, APP));
        gateway =
                new AmqpGateway(broker, AmqpGatewayOptions.plain("127.0.0.1", 0).withEventLoops(1));
        gateway.start();
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private void rulesOf(String queue, List<AccessRule> rules) {
        broker.first.add(QueueDescription.named(queue).accessRules(rules).build(), 1 << 20);
    }

    private static AccessRule rule(String name, AccessRight right, String key) {
        return new AccessRule(name, Set.of(right), key, null);
    }

    private RawPeer plain(String rule, String key) throws IOException {
        RawPeer peer = new RawPeer(gateway.plainPort()).plain(rule, key);
        peer.begin(0);
        return peer;
    }

    private boolean admitted(String rule, String key) throws IOException {
        try (RawPeer peer = new RawPeer(gateway.plainPort()).sasl("PLAIN", ("\0" + rule + "\0" + key).getBytes())) {
            return peer.frame().field(0).equals(0L);
        }
    }

    /** Returns a peer that has links to {@code $cbs}, with the handles 100 and 101. */
    private RawPeer withTokenLinks() throws IOException {
        RawPeer peer = new RawPeer(gateway.plainPort()).anonymous();
        peer.frame();
        peer.open("first");
        peer.begin(0);
        peer.send(0, RawPeer.sender("cbs-s", 100, "$cbs"));
        peer.send(0, RawPeer.receiver("cbs-r", 101, "$cbs").setTarget(new Target().setAddress("reply")));
        peer.next(ATTACH);
        peer.next(ATTACH);
        peer.flow(0, 101, 0, 10, false, false);
        return peer;
    }

    private long putToken(RawPeer peer, int delivery, String queue, String rule, String key) throws IOException {
        String token = SharedAccessSignature.create("sb://first/" + queue, rule, key, broker.nowMs.get() / 1000 + 3600);
        peer.message(0, 100, delivery, RawPeer.putToken("id", "reply", "sb://first/" + queue, token));
        Frame response = peer.next(TRANSFER);
        return (long) ((Map<?, ?>) RawPeer.sections(response.payload()).get(2).value()).get("status-code");
    }

    /** Attaches a sender with handle 1 and a receiver with handle 2. */
    private static void attachBoth(RawPeer peer, String queue) throws IOException {
        peer.send(0, RawPeer.sender("s", 1, queue));
        assertThat(peer.next(ATTACH).field(6)).isNotNull();
        peer.send(0, RawPeer.receiver("r", 2, queue));
        assertThat(peer.next(ATTACH).field(5)).isNotNull();
    }

    private static Object condition(Frame frame, int field) {
        return ((Described) frame.field(field)).fields().get(0);
    }

    private static AmqpValues.Symbol symbol(String text) {
        return new AmqpValues.Symbol(text);
    }

    private static void refusesToSend(RawPeer peer, String queue) throws IOException {
        peer.send(0, RawPeer.sender("refused", 7, queue));
        assertThat(condition(peer.next(DETACH), 2)).isEqualTo(symbol("amqp:unauthorized-access"));
    }

    /** Sends a message over the link with handle 1 and waits until it is accepted. */
    private static void stillSends(RawPeer peer, int delivery) throws IOException {
        peer.message(0, 1, delivery, RawPeer.message(new byte[] {1}));
        Frame disposition = peer.next(DISPOSITION);
        assertThat(((Described) disposition.field(4)).code()).isEqualTo(0x24);
    }

    /**
     * Returns the conditions of the detached links and of the close, in the order of arrival, until the connection has
     * ended.
     */
    private static List<Object> conditionsUntilClosed(RawPeer peer) throws IOException {
        List<Frame> frames = new ArrayList<>();
        assertThat(peer.closedAfter(frames)).isTrue();
        List<Object> conditions = new ArrayList<>();
        for (Frame frame : frames) {
            if (frame.code() == DETACH) {
                conditions.add(condition(frame, 2));
            } else if (frame.code() == CLOSE) {
                conditions.add(condition(frame, 0));
            }
        }
        return conditions;
    }

    @Test
    @DisplayName("Rotating a key away ends the links and the connection of its token, and its token is refused (ENT-4)")
    void rotatedKeyEndsWhatStandsOnIt() throws Exception {
        try (RawPeer peer = withTokenLinks()) {
            assertThat(putToken(peer, 0, "q", "app", "app-1")).isEqualTo(202L);
            attachBoth(peer, "q");
            peer.send(0, RawPeer.sender("m", 3, "q/$management"));
            peer.next(ATTACH);
            broker.first.rules(List.of(ADMIN, new AccessRule("app", APP.rights(), "app-3", "app-2")));
            AmqpValues.Symbol forced = symbol("amqp:link:detach-forced");
            assertThat(conditionsUntilClosed(peer))
                    .containsExactly(forced, forced, forced, symbol("amqp:connection:forced"));
        }
        try (RawPeer peer = withTokenLinks()) {
            assertThat(putToken(peer, 0, "q", "app", "app-1")).isEqualTo(401L);
            refusesToSend(peer, "q");
        }
    }

    @Test
    @DisplayName("A key that becomes the secondary key, and rules that stay, do not end any link (ENT-4)")
    void unchangedRulesDisturbNobody() throws Exception {
        AccessRule first = rule("first", AccessRight.SEND, "first-key");
        AccessRule second = rule("second", AccessRight.SEND, "second-key");
        AccessRule swapped = new AccessRule("app", APP.rights(), "app-2", "app-1");
        broker.first.rules(List.of(ADMIN, APP, first, second));
        try (RawPeer peer = withTokenLinks();
                RawPeer plain = plain("app", "app-2");
                RawPeer witness = withTokenLinks()) {
            putToken(peer, 0, "q", "app", "app-1");
            attachBoth(peer, "q");
            attachBoth(plain, "q");
            putToken(witness, 0, "q", "first", "first-key");
            putToken(witness, 1, "other", "second", "second-key");
            witness.send(0, RawPeer.sender("s", 1, "q"));
            witness.next(ATTACH);
            witness.send(0, RawPeer.sender("t", 2, "other"));
            witness.next(ATTACH);
            broker.first.rules(List.of(swapped, second));
            witness.next(DETACH);
            broker.first.rules(List.of(swapped));
            witness.next(DETACH); // between these two, every connection has checked its rights
            stillSends(peer, 1);
            stillSends(plain, 0);
        }
    }

    @Test
    @DisplayName("Only the links end that no other token of the connection permits (ENT-4)")
    void otherTokensGoOn() throws Exception {
        broker.first.rules(List.of(ADMIN, APP, rule("send", AccessRight.SEND, "send-key")));
        try (RawPeer peer = withTokenLinks()) {
            putToken(peer, 0, "q", "app", "app-1");
            putToken(peer, 1, "", "send", "send-key");
            attachBoth(peer, "q");
            broker.first.rules(List.of(ADMIN, rule("send", AccessRight.SEND, "send-key")));
            Frame detach = peer.next(DETACH);
            assertThat(condition(detach, 2)).isEqualTo(symbol("amqp:link:detach-forced"));
            stillSends(peer, 2);
        }
    }

    @Test
    @DisplayName("A right that a rule loses ends links and refuses requests too (ENT-4)")
    void lostRightsCount() throws Exception {
        try (RawPeer peer = withTokenLinks();
                RawPeer plain = plain("app", "app-1")) {
            putToken(peer, 0, "q", "app", "app-1");
            for (RawPeer each : List.of(peer, plain)) {
                attachBoth(each, "q");
                each.send(0, RawPeer.sender("m", 3, "q/$management"));
                each.send(0, RawPeer.receiver("n", 4, "q/$management").setTarget(new Target().setAddress("me")));
                each.next(ATTACH);
                each.next(ATTACH);
                each.flow(0, 4, 0, 5, false, false);
            }
            broker.first.rules(List.of(ADMIN, new AccessRule("app", Set.of(AccessRight.SEND), "app-1", null)));
            int delivery = 1;
            for (RawPeer each : List.of(peer, plain)) {
                assertThat(condition(each.next(DETACH), 2)).isEqualTo(symbol("amqp:link:detach-forced"));
                stillSends(each, delivery);
                each.message(0, 3, delivery + 1, peekRequest());
                Map<?, ?> answer = (Map<?, ?>)
                        RawPeer.sections(each.next(TRANSFER).payload()).get(2).value();
                assertThat(answer.get("statusCode")).isEqualTo(401L);
                delivery = 0; // the second peer has sent nothing yet
            }
        }
    }

    private static byte[] peekRequest() {
        Properties properties = new Properties();
        properties.setMessageId("1");
        properties.setReplyTo("me");
        return RawPeer.encode(
                properties,
                new ApplicationProperties(Map.of("operation", "com.microsoft:peek-message")),
                new AmqpValue<>(Map.of()));
    }

    @Test
    @DisplayName("The rules of an entity count like the rules of the namespace (ENT-4)")
    void rulesOfEntitiesCount() throws Exception {
        rulesOf("q", List.of(APP, rule("own", AccessRight.SEND, "own-key")));
        try (RawPeer peer = withTokenLinks()) {
            assertThat(putToken(peer, 0, "q", "own", "own-key")).isEqualTo(202L);
            peer.send(0, RawPeer.sender("s", 1, "q"));
            peer.next(FLOW);
            rulesOf("q", List.of(APP));
            broker.first.rules(List.of(ADMIN, APP));
            assertThat(conditionsUntilClosed(peer))
                    .containsExactly(symbol("amqp:link:detach-forced"), symbol("amqp:connection:forced"));
        }
    }

    @Test
    @DisplayName("A connection with a plain credential ends with the rule of the credential, and the credential"
            + " is refused (ENT-4)")
    void plainCredentialsEndWithTheirRule() throws Exception {
        try (RawPeer peer = plain("app", "app-1");
                RawPeer idle = plain("app", "app-1")) {
            attachBoth(peer, "q");
            broker.first.rules(List.of(ADMIN));
            AmqpValues.Symbol forced = symbol("amqp:link:detach-forced");
            assertThat(conditionsUntilClosed(peer)).containsExactly(forced, forced, symbol("amqp:connection:forced"));
            assertThat(conditionsUntilClosed(idle)).containsExactly(symbol("amqp:connection:forced"));
        }
        assertThat(admitted("app", "app-1")).isFalse();
        assertThat(admitted("admin", "admin-key")).isTrue();
    }

    @Test
    @DisplayName("A plain credential of an entity's own rule opens that entity with the rights of the rule (ENT-4)")
    void plainTakesRulesOfEntities() throws Exception {
        rulesOf("q", List.of(rule("own", AccessRight.SEND, "own-key")));
        rulesOf("other", List.of(rule("own", AccessRight.SEND, "another-key")));
        assertThat(admitted("own", "wrong")).isFalse();
        assertThat(admitted("app", "own-key")).isFalse();
        try (RawPeer peer = plain("OWN", "own-key")) {
            peer.send(0, RawPeer.sender("s", 1, "q"));
            assertThat(peer.next(ATTACH).field(6)).isNotNull();
            refusesToSend(peer, "other");
            peer.send(0, RawPeer.receiver("r", 2, "q"));
            assertThat(condition(peer.next(DETACH), 2)).isEqualTo(symbol("amqp:unauthorized-access"));
            rulesOf("q", List.of());
            broker.first.rules(List.of(ADMIN, APP));
            assertThat(conditionsUntilClosed(peer))
                    .containsExactly(symbol("amqp:link:detach-forced"), symbol("amqp:connection:forced"));
        }
        assertThat(admitted("own", "own-key")).isFalse();
    }
}
