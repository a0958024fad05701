package dev.jitney.gateway.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.amqp.RawPeer.Frame;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.InMemoryBroker;
import dev.jitney.runtime.security.SharedAccessSignature;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The namespace of a connection whose host names none. */
@Timeout(60)
class NamespaceByKeyTest {
    private static final int ATTACH = 0x12;
    private static final int TRANSFER = 0x14;
    private static final String ROOT = AccessRule.ROOT_NAME;
    private static final String TEAM = "team-b";
    private static final String TEAM_KEY = "key-of-the-second";
    private static final Set<AccessRight> ALL = Set.of(AccessRight.values());

    private final InMemoryBroker broker = new InMemoryBroker();
    private AmqpGateway gateway;

    @BeforeEach
    void start() {
        broker.second.rules(List.of(AccessRule.root("another-key"), new AccessRule(TEAM, ALL, TEAM_KEY, null)));
        broker.first.add(QueueDescription.named("only-first").build(), 1000);
        broker.second.add(QueueDescription.named("only-second").build(), 1000);
        gateway =
                new AmqpGateway(broker, AmqpGatewayOptions.plain("127.0.0.1", 0).withEventLoops(1));
        gateway.start();
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    @Test
    @DisplayName("A name and a key sent with SASL select the namespace that alone has a rule of the name")
    void plain() throws Exception {
        try (RawPeer peer = plain(TEAM, TEAM_KEY)) {
            peer.open("localhost");
            peer.begin(1);
            assertThat(attaches(peer, 0, "only-second")).isTrue();
            assertThat(attaches(peer, 1, "only-first")).isFalse();
            assertThat(counted("second")).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("A host that names a namespace takes precedence over the name of the key")
    void hostWins() throws Exception {
        try (RawPeer peer = plain(TEAM, TEAM_KEY)) {
            peer.open("first.example");
            peer.begin(1);
            assertThat(attaches(peer, 0, "only-second")).isFalse();
            assertThat(attaches(peer, 1, "only-first")).isFalse();
        }
    }

    @Test
    @DisplayName("A name that both namespaces have selects the first, whose key counts")
    void ambiguous() throws Exception {
        try (RawPeer peer = plain(ROOT, InMemoryBroker.KEY)) {
            peer.open("localhost");
            peer.begin(1);
            assertThat(attaches(peer, 0, "only-first")).isTrue();
            assertThat(attaches(peer, 1, "only-second")).isFalse();
        }
    }

    @Test
    @DisplayName("The first valid token decides, and the namespace counts the connection from then on")
    void token() throws Exception {
        try (RawPeer peer = anonymous()) {
            assertThat(counted("first") + counted("second")).isZero();
            assertThat(put(peer, 0, "only-second", TEAM, TEAM_KEY)).isEqualTo(202);
            assertThat(counted("first")).isZero();
            assertThat(counted("second")).isEqualTo(1);
            assertThat(linksOf("first")).isZero();
            assertThat(linksOf("second")).isEqualTo(2);
            assertThat(attaches(peer, 5, "only-second")).isTrue();
            assertThat(attaches(peer, 6, "only-first")).isFalse();
        }
    }

    @Test
    @DisplayName("Once the namespace is decided, a token of another namespace is refused")
    void laterToken() throws Exception {
        try (RawPeer peer = anonymous()) {
            assertThat(put(peer, 0, "only-second", TEAM, TEAM_KEY)).isEqualTo(202);
            assertThat(put(peer, 1, "only-first", ROOT, InMemoryBroker.KEY)).isEqualTo(401);
            assertThat(attaches(peer, 5, "only-second")).isTrue();
            assertThat(attaches(peer, 6, "only-first")).isFalse();
        }
        try (RawPeer peer = anonymous()) {
            assertThat(put(peer, 0, "only-first", ROOT, InMemoryBroker.KEY)).isEqualTo(202);
            assertThat(put(peer, 1, "only-second", TEAM, TEAM_KEY)).isEqualTo(401);
        }
    }

    @Test
    @DisplayName("A refused token decides nothing and does not reveal where a key of its name is")
    void refusedToken() throws Exception {
        try (RawPeer peer = anonymous()) {
            assertThat(put(peer, 0, "only-second", TEAM, "wrong")).isEqualTo(401);
            assertThat(description).contains("SystemTracker:first").doesNotContain("second:");
            assertThat(put(peer, 1, "only-first", ROOT, InMemoryBroker.KEY)).isEqualTo(202);
            assertThat(attaches(peer, 5, "only-first")).isTrue();
        }
    }

    @Test
    @DisplayName("Before the first token only $cbs can be used, in every namespace")
    void beforeTheFirstToken() throws Exception {
        try (RawPeer peer = anonymous()) {
            assertThat(attaches(peer, 5, "only-first")).isFalse();
            assertThat(attaches(peer, 6, "only-second")).isFalse();
            assertThat(put(peer, 0, "only-second", TEAM, TEAM_KEY)).isEqualTo(202);
            assertThat(attaches(peer, 7, "only-second")).isTrue();
        }
    }

    @Test
    @DisplayName("A connection that joins a namespace at its limit is closed (QUOTA, MaxConnections)")
    void full() throws Exception {
        broker.second.maxConnections(1);
        try (RawPeer one = anonymous();
                RawPeer other = anonymous()) {
            assertThat(put(one, 0, "only-second", TEAM, TEAM_KEY)).isEqualTo(202);
            send(other, 0, "only-second", TEAM, TEAM_KEY);
            Frame close = other.next(0x18);
            assertThat(close.field(0).toString()).contains("at most 1 connections to the namespace");
        }
    }

    private String description = "";

    /** Returns an unauthenticated connection with links to and from $cbs. */
    private RawPeer anonymous() throws IOException {
        RawPeer peer = new RawPeer(gateway.plainPort()).anonymous();
        peer.frame();
        peer.open("localhost");
        peer.begin(1);
        peer.send(1, RawPeer.sender("cbs-out", 1, "$cbs"));
        peer.send(1, RawPeer.receiver("cbs-in", 2, "$cbs").setTarget(new Target().setAddress("me")));
        peer.next(ATTACH);
        peer.next(ATTACH);
        peer.flow(1, 2, 0, 100, false, false);
        return peer;
    }

    private RawPeer plain(String rule, String key) throws IOException {
        RawPeer peer = new RawPeer(gateway.plainPort()).sasl("PLAIN", ("\0" + rule + "\0" + key).getBytes());
        peer.frame();
        return peer;
    }

    private void send(RawPeer peer, int id, String queue, String rule, String key) throws IOException {
        String audience = "sb://localhost/" + queue;
        String token = SharedAccessSignature.create(audience, rule, key, broker.nowMs.get() / 1000 + 600);
        peer.message(1, 1, id, RawPeer.putToken("id-" + id, "me", audience, token));
    }

    /** Puts a token and returns the status of the answer. */
    private long put(RawPeer peer, int id, String queue, String rule, String key) throws IOException {
        send(peer, id, queue, rule, key);
        Frame response = peer.next(TRANSFER);
        Map<?, ?> properties =
                (Map<?, ?>) RawPeer.sections(response.payload()).get(2).value();
        description = String.valueOf(properties.get("status-description"));
        return ((Number) properties.get("status-code")).longValue();
    }

    private boolean attaches(RawPeer peer, int handle, String queue) throws IOException {
        peer.send(1, RawPeer.sender("link-" + handle, handle, queue));
        boolean refused = peer.next(ATTACH).field(6) == null;
        if (refused) {
            peer.next(0x16);
        }
        return !refused;
    }

    private int counted(String namespace) {
        var figures = gateway.figures().namespaces().get(namespace);
        return figures == null ? 0 : figures.connections();
    }

    private long linksOf(String namespace) {
        var figures = gateway.figures().namespaces().get(namespace);
        return figures == null ? 0 : figures.links();
    }
}
