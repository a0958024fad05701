package dev.jitney.gateway.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.amqp.AmqpValues.Described;
import dev.jitney.gateway.amqp.shared.ConnectionLimits;
import dev.jitney.gateway.amqp.shared.IdleRules;
import dev.jitney.runtime.InMemoryBroker;
import java.io.IOException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** New clients while the sockets of the gateway or the connections of a namespace are in use. */
class NewcomersTest extends AmqpWireScenario {
    private static final int CLOSE = 0x18;
    private static final int SOCKETS_MAX = 12;
    private static final String OTHER_RULE = "sender";

    private final List<RawPeer> peers = new ArrayList<>();

    @Override
    AmqpGatewayOptions options() {
        return new AmqpGatewayOptions(
                "127.0.0.1", 0, null, null, 1, SOCKETS_MAX, ConnectionLimits.defaults(), IdleRules.OFF);
    }

    @AfterEach
    void closePeers() throws IOException {
        for (RawPeer peer : peers) {
            peer.close();
        }
    }

    private RawPeer kept(RawPeer peer) {
        peers.add(peer);
        return peer;
    }

    private RawPeer of(String rule) throws IOException {
        RawPeer peer = kept(peer()).plain(rule, InMemoryBroker.KEY);
        peer.begin(0);
        return peer;
    }

    /** Returns an open connection without a credential. */
    private RawPeer stranger() throws IOException {
        RawPeer peer = kept(peer()).anonymous();
        peer.frame();
        peer.open("first").begin(0);
        return peer;
    }

    private static List<Object> error(RawPeer peer) throws IOException {
        return ((Described) peer.next(CLOSE).field(0)).fields();
    }

    private void refused(String rule, String condition, String description) throws IOException {
        try (RawPeer peer = peer().plain(rule, InMemoryBroker.KEY)) {
            List<Object> error = error(peer);
            assertThat(error.get(0)).isEqualTo(symbol(condition));
            assertThat((String) error.get(1)).contains(description);
        }
    }

    private static boolean isClosed(RawPeer peer) throws IOException {
        try {
            return peer.atEnd();
        } catch (SocketException reset) {
            return true;
        }
    }

    @Test
    @DisplayName("At the limit of sockets a new one takes the place of the oldest without a credential (QUOTA-8)")
    void sockets() throws Exception {
        RawPeer known = of(RULE);
        RawPeer halfOpen = kept(peer());
        halfOpen.raw(new byte[] {'A', 'M'});
        RawPeer unauthenticated = stranger();
        while (gateway.figures().sockets() < SOCKETS_MAX) {
            of(RULE);
        }
        RawPeer newcomer = of(RULE);
        assertThat(isClosed(halfOpen)).isTrue();
        unauthenticated.begin(1);
        RawPeer another = of(RULE);
        assertThat(isClosed(unauthenticated)).isTrue();
        assertThat(gateway.figures().refusedSockets()).isEqualTo(2);
        try (RawPeer refused = peer()) { // all others have shown a credential
            assertThat(isClosed(refused)).isTrue();
        }
        assertThat(gateway.figures().refusedSockets()).isEqualTo(3);
        for (RawPeer peer : List.of(known, newcomer, another)) {
            peer.begin(1);
        }
        assertThat(gateway.figures().sockets()).isEqualTo(SOCKETS_MAX);
    }

    @Test
    @DisplayName("At the limit of a namespace a new connection takes the place of the oldest without a credential"
            + " (QUOTA-8)")
    void connections() throws Exception {
        broker.first.maxConnections(3);
        RawPeer known = of(RULE);
        RawPeer oldest = stranger();
        RawPeer older = stranger();
        RawPeer newcomer = of(RULE);
        assertThat(error(oldest).get(0)).isEqualTo(symbol("amqp:connection:forced"));
        older.begin(1);
        RawPeer another = of(RULE);
        assertThat(error(older).get(0)).isEqualTo(symbol("amqp:connection:forced"));
        refused(RULE, "amqp:resource-limit-exceeded", "at most 3 connections to the namespace");
        for (RawPeer peer : List.of(known, newcomer, another)) {
            peer.begin(1);
        }
        var figures = gateway.figures().namespaces().get("first");
        assertThat(figures.connections()).isEqualTo(3);
        assertThat(figures.refusedConnections()).isEqualTo(3);
    }

    @Test
    @DisplayName(
            "The last fifth of the connections of a namespace is for rules with less than an equal share (QUOTA-8)")
    void sharesOfRules() throws Exception {
        broker.first.maxConnections(10);
        of(OTHER_RULE);
        for (int i = 0; i < 7; i++) {
            of(RULE);
        }
        refused(RULE, "amqp:resource-limit-exceeded", "an equal share of the 10 connections");
        of(OTHER_RULE);
        of(OTHER_RULE);
        refused(OTHER_RULE, "amqp:resource-limit-exceeded", "at most 10 connections to the namespace");
    }

    @Test
    @DisplayName("A rule whose clients are the only ones may have all connections of a namespace (QUOTA-8)")
    void shareOfOneRule() throws Exception {
        broker.first.maxConnections(10);
        try (RawPeer other = peer().plain(OTHER_RULE, InMemoryBroker.KEY)) {
            other.begin(0);
        }
        while (gateway.figures().namespaces().get("first").connections() > 0) {
            Thread.onSpinWait(); // the timeout of the class ends it
        }
        for (int i = 0; i < 10; i++) {
            of(RULE);
        }
        refused(RULE, "amqp:resource-limit-exceeded", "at most 10 connections to the namespace");
    }
}
