package dev.jitney.gateway.http.operator.request;

import dev.jitney.gateway.http.exchange.Exchange;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;

/** The successful answers of the operator API. */
public final class JsonAnswer {
    private static final String JSON = "application/json; charset=utf-8";

    private JsonAnswer() {}

    /** Answers with a document, unless the exchange is over. No cache may keep it. */
    public static void send(Exchange exchange, Buffer document) {
        if (!exchange.isOver()) {
            exchange.response().putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
            exchange.answer(200, JSON, document);
        }
    }
}
