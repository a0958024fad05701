package dev.jitney.gateway.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state of the server for the health pages. Event loops call the methods, so that they must not block. */
@FunctionalInterface
public interface ServerHealth {

    /** The phase of a server's life cycle. */
    enum Phase {
        /** Not every listener is open yet. */
        STARTING,
        /** The server is ready. */
        SERVING,
        /** The server closes its connections and stores. */
        CLOSING
    }

    /** Returns null while the server is healthy, otherwise one sentence for {@code GET /health}. */
    @Nullable
    String trouble();

    /** Returns sentences about parts that work but need attention. The server stays ready. */
    default List<String> warnings() {
        return List.of();
    }

    /** Returns the phase of the server. */
    default Phase phase() {
        return Phase.SERVING;
    }

    /**
     * Returns null while every listener of the server accepts connections, otherwise one sentence about the closed
     * ones.
     */
    default @Nullable String listenerTrouble() {
        return null;
    }
}
