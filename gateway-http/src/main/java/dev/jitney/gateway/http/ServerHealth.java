package dev.jitney.gateway.http;

import org.jspecify.annotations.Nullable;

/** What the health pages ask the server. Event loops call the methods, so that they must not block. */
@FunctionalInterface
public interface ServerHealth {

    /** The part of its life that a server is in. */
    enum Phase {
        /** Not every listener is open yet. */
        STARTING,
        /** The server serves. */
        SERVING,
        /** The server ends its connections and closes its stores. */
        CLOSING
    }

    /** Null while all is well, otherwise one sentence for {@code GET /health}. */
    @Nullable
    String trouble();

    /** The part of its life that the server is in. */
    default Phase phase() {
        return Phase.SERVING;
    }

    /** Null while every listener of the server accepts connections, otherwise one sentence about those that do not. */
    default @Nullable String listenerTrouble() {
        return null;
    }
}
