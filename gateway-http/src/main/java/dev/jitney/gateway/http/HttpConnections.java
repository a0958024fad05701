package dev.jitney.gateway.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connections of all HTTP listeners: no more than there is room for, and none that only waits to ask something.
 * Event loops call it.
 */
final class HttpConnections {
    private static final int MAX_CONNECTIONS = 1_000;

    private final Vertx vertx;
    private final long firstRequestMs;
    /** Each with the timer that waits for its first request. */
    private final Map<HttpConnection, Long> open = new ConcurrentHashMap<>();

    /** @param firstRequestMs see {@link HttpPatience} */
    HttpConnections(Vertx vertx, long firstRequestMs) {
        this.vertx = vertx;
        this.firstRequestMs = firstRequestMs;
    }

    /** Takes in a connection that was accepted, or closes it. */
    void admit(HttpConnection connection) {
        if (open.size() >= MAX_CONNECTIONS) {
            connection.close();
            return;
        }
        open.put(connection, vertx.setTimer(firstRequestMs, late -> connection.close()));
        connection.closeHandler(closed -> forget(connection));
    }

    /** The head of a request has come. */
    void asked(HttpConnection connection) {
        Long timer = open.get(connection);
        if (timer != null) {
            vertx.cancelTimer(timer);
        }
    }

    /** A connection that has become something else and is counted there. */
    void handOver(HttpConnection connection) {
        forget(connection);
    }

    private void forget(HttpConnection connection) {
        Long timer = open.remove(connection);
        if (timer != null) {
            vertx.cancelTimer(timer);
        }
    }
}
