package dev.jitney.gateway.http.exchange;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where one connection stands. Its fields belong to {@link HttpConnections}. For the event loop of the connection. */
final class HttpPeer {
    private static final AttributeKey<HttpPeer> KEY = AttributeKey.valueOf(HttpPeer.class, "jitney");

    /** What the connection is expected to do next. */
    enum Phase {
        /** The client sends the head of a request, now or later. */
        HEAD,
        /** The client sends the rest of a body that nobody reads any more. */
        SURPLUS,
        /** The client sends the body of a request. */
        BODY,
        /** The server makes an answer. */
        SERVING,
        /** The client fetches the answer. */
        FETCHING,
        /** The connection carries a WebSocket. */
        WEBSOCKET
    }

    final Channel channel;
    final SocketGuard socket;
    final InboundGuard inbound;

    /** Actions for the moment when the connection has gone or has become a WebSocket. */
    final List<Runnable> whenGone = new ArrayList<>();

    private final Map<MemoryPurpose, Long> claims = new EnumMap<>(MemoryPurpose.class);

    Phase phase = Phase.HEAD;
    /** The tick at which the phase began. */
    int sinceTick;
    /** The tick at which the connection is closed if it is still in this phase. */
    int deadlineTick;
    /** Whether a request of this connection had a token that the server accepted. */
    boolean authorized;
    /** Whether the request that is served counts among the busy connections. */
    boolean busy;
    /** Whether the answer to the request is complete, though the socket may not have taken it. */
    boolean answered;
    /** Whether the body of the request has not ended. */
    boolean bodyPending;

    /** Whether the connection is closed, or about to be. */
    boolean gone;

    HttpPeer(Channel channel, HttpConnections connections) {
        this.channel = channel;
        this.socket = new SocketGuard(connections, this);
        this.inbound = new InboundGuard(connections, this);
        channel.attr(KEY).set(this);
    }

    /** The peer of a channel, or null if the channel was never admitted. */
    static @Nullable HttpPeer of(Channel channel) {
        return channel.attr(KEY).get();
    }

    /** Whether the head of the next request may be decoded, or more of the body of this one. */
    boolean takesInput() {
        return phase != Phase.SERVING && (phase != Phase.FETCHING || bodyPending);
    }

    void addClaim(MemoryPurpose purpose, long bytes) {
        claims.merge(purpose, bytes, Long::sum);
    }

    /** Forgets the claims for a purpose; returns how many bytes they had. */
    long takeClaims(MemoryPurpose purpose) {
        Long bytes = claims.remove(purpose);
        return bytes == null ? 0 : bytes;
    }

    boolean hasClaims() {
        return !claims.isEmpty();
    }
}
