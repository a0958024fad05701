package dev.jitney.gateway.http;

import dev.jitney.runtime.Clock;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * Answers everything that has no route with 404 in the form SDKs understand.
 *
 * <p>The body of the request is read to its end first, because a client that is still writing may never see an answer
 * that comes with a closed connection; but only up to a limit, and nothing of it is kept.
 */
final class UnservedHandler implements Handler<RoutingContext> {
    private static final String SENTENCE = "SubCode=40400. Not Found. Administration and messaging over HTTP are not"
            + " served yet: declare queues in the file given with --config, and send and receive over AMQP.";
    private static final long MAX_BODY_BYTES = 1024 * 1024;

    private final Clock clock;

    UnservedHandler(Clock clock) {
        this.clock = clock;
    }

    @Override
    public void handle(RoutingContext context) {
        HttpServerRequest request = context.request();
        long[] received = {0};
        request.handler(chunk -> {
            received[0] += chunk.length();
            if (received[0] > MAX_BODY_BYTES) {
                request.connection().close();
            }
        });
        request.endHandler(end -> answer(request));
    }

    private void answer(HttpServerRequest request) {
        String host = request.authority() == null ? "" : request.authority().toString();
        request.response()
                .setStatusCode(404)
                .putHeader(HttpHeaders.CONTENT_TYPE, ErrorDocument.CONTENT_TYPE)
                .end(ErrorDocument.of(404, SENTENCE, host + ":" + request.path(), clock.nowMs()));
    }
}
