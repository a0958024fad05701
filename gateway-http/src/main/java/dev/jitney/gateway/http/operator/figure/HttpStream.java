package dev.jitney.gateway.http.operator.figure;

import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.security.Grant;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import org.jspecify.annotations.Nullable;

/** A stream of server-sent events as the response of an exchange, while its token permits it. For the event loop of the exchange. */
final class HttpStream implements FigureStreams.Stream {
    /** The memory of a stream: an event that the socket has not taken, and the response. */
    static final int HELD_BYTES = 64 * 1024;

    private static final EntityAddress WHOLE_NAMESPACE = EntityAddress.parse("");

    private final Exchange exchange;
    private @Nullable Grant grant;
    private long accessVersion;
    private boolean writing;

    /** @param grant the rights of the client, which are checked again before each event */
    HttpStream(Exchange exchange, Grant grant) {
        this.exchange = exchange;
        this.grant = grant;
        this.accessVersion = exchange.accessVersion();
        exchange.response()
                .setChunked(true)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    }

    @Override
    public @Nullable String ending() {
        long version = exchange.accessVersion();
        Grant current = grant;
        if (current != null && (version != accessVersion || exchange.mayChangeAtAnyTime())) {
            accessVersion = version;
            current = exchange.current(current, WHOLE_NAMESPACE, AccessRight.LISTEN);
            grant = current;
        }
        boolean permitted = current != null && exchange.isPermitted(current, WHOLE_NAMESPACE, AccessRight.LISTEN);
        return permitted ? null : "The token has expired, or its rule has changed.";
    }

    @Override
    public boolean isBehind() {
        return writing;
    }

    @Override
    public void send(Buffer event) {
        if (!exchange.isOver()) {
            writing = true;
            exchange.response().write(event).onComplete(written -> writing = false);
        }
    }

    @Override
    public void end(Buffer event) {
        HttpServerResponse response = exchange.response();
        if (!exchange.isOver() && !response.ended()) {
            response.end(event);
        }
    }

    @Override
    public void cut() {
        exchange.request().connection().close();
    }
}
