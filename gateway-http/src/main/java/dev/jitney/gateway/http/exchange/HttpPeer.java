package dev.jitney.gateway.http.exchange;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The state of one connection. Its fields belong to {@link HttpConnections}. For the event loop of the connection. */
final class HttpPeer {
    private static final AttributeKey<HttpPeer> KEY = AttributeKey.valueOf(HttpPeer.class, "jitney");

    /** The phases of a connection. */
    enum Phase {
        /** The client sends the head of a request, now or later. */
        HEAD,
        /** The client sends the rest of a body that is no longer read. */
        SURPLUS,
        /** The client sends the body of a request. */
        BODY,
        /** The server processes the request. */
        SERVING,
        /** The client fetches the response. */
        FETCHING,
        /** The connection carries a WebSocket. */
        WEBSOCKET
    }

    final Channel channel;
    final SocketGuard socket;
    final InboundGuard inbound;

    /** Actions to run when the connection is closed or has become a WebSocket. */
    final List<Runnable> whenGone = new ArrayList<>();

    private final Map<MemoryPurpose, Long> claims = new EnumMap<>(MemoryPurpose.class);

    Phase phase = Phase.HEAD;
    /** The tick at which the phase began. */
    int sinceTick;
    /** The tick at which the connection is closed if it is still in this phase. */
    int deadlineTick;
    /** True if a request of this connection had a valid token. */
    boolean authorized;
    /** The client as limits count it: of the last credential that was accepted, or of the address only. */
    ClientShares.Client client = ClientShares.Client.UNKNOWN;
    /** Ends the current request early, so that another client gets its place; null if it must not be ended. */
    @Nullable
    Runnable yields;
    /** True if the response to the request is complete, even if the socket has not taken it yet. */
    boolean answered;
    /** True if the body of the request has not ended. */
    boolean bodyPending;

    /** True if the connection is closed, or about to be. */
    boolean gone;

    HttpPeer(Channel channel, HttpConnections connections) {
        this.channel = channel;
        this.socket = new SocketGuard(connections, this);
        this.inbound = new InboundGuard(connections, this);
        channel.attr(KEY).set(this);
    }

    /** Returns the peer of a channel, or null if the channel was never admitted. */
    static @Nullable HttpPeer of(Channel channel) {
        return channel.attr(KEY).get();
    }

    /** Returns whether the head of the next request, or more of the current body, may be decoded. */
    boolean takesInput() {
        return phase != Phase.SERVING && (phase != Phase.FETCHING || bodyPending);
    }

    void addClaim(MemoryPurpose purpose, long bytes) {
        claims.merge(purpose, bytes, Long::sum);
    }

    /** Removes the claims for a purpose and returns their bytes. */
    long takeClaims(MemoryPurpose purpose) {
        Long bytes = claims.remove(purpose);
        return bytes == null ? 0 : bytes;
    }

    boolean hasClaims() {
        return !claims.isEmpty();
    }
}
