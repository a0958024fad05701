package dev.jitney.gateway.http;

import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.ExchangeHandler;
import dev.jitney.gateway.http.exchange.HttpError;

/**
 * Answers everything that has no route with 404 in the form SDKs understand, after the body, because a client that is
 * still writing may never see an answer that comes with a closed connection.
 */
final class UnservedHandler implements ExchangeHandler {
    private static final HttpError ERROR = HttpError.notFound("Not Found. Administration over HTTP is not served yet:"
            + " declare queues in the file given with --config.");
    private static final int BODY_BYTES_MAX = 64 * 1024;

    @Override
    public void handle(Exchange exchange) {
        exchange.body(BODY_BYTES_MAX).onSuccess(body -> exchange.refuse(ERROR)).onFailure(exchange::fail);
    }
}
