package dev.jitney.gateway.http.metrics;

import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.ExchangeHandler;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

/** The handler of {@code GET /metrics}, in the format and the compression that the client accepts. */
public final class MetricsHandler implements ExchangeHandler {
    private static final EntityAddress WHOLE_NAMESPACE = EntityAddress.parse("");

    private final Vertx vertx;
    private final boolean authorized;
    private final MetricsPages pages;

    public MetricsHandler(Vertx vertx, HttpMetrics metrics) {
        this.vertx = vertx;
        this.authorized = metrics.access() == MetricsAccess.AUTHORIZED;
        this.pages = new MetricsPages(vertx, metrics.source());
    }

    @Override
    public void handle(Exchange exchange) throws RefusedException {
        if (authorized) {
            exchange.authorize(WHOLE_NAMESPACE, AccessRight.MANAGE, AccessRight.LISTEN);
        }
        MetricsFormat format = MetricsFormat.of(exchange.request().getHeader(HttpHeaders.ACCEPT));
        pages.page(format, authorized ? exchange.namespace().name() : null)
                .onSuccess(page -> exchange.guarded(() -> answer(exchange, format, page)))
                .onFailure(exchange::fail);
    }

    private void answer(Exchange exchange, MetricsFormat format, MetricsPages.Page page) {
        HttpServerResponse response = exchange.response();
        response.putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .putHeader(HttpHeaders.VARY, "Accept, Accept-Encoding");
        if (acceptsGzip(exchange)) {
            if (!exchange.reserve(page.gzip().length)) {
                exchange.refuse(Exchange.OUT_OF_MEMORY);
                return;
            }
            response.putHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
            exchange.answer(200, format.contentType(), Buffer.buffer(page.gzip()));
        } else if (!exchange.isOver()) {
            response.putHeader(HttpHeaders.CONTENT_TYPE, format.contentType())
                    .putHeader(HttpHeaders.CONTENT_LENGTH, Long.toString(page.textBytes()));
            PlainText.send(vertx, exchange, page.gzip(), page.textBytes());
        }
    }

    private static boolean acceptsGzip(Exchange exchange) {
        String accepted = exchange.request().getHeader(HttpHeaders.ACCEPT_ENCODING);
        return accepted != null && accepted.contains("gzip") && !accepted.contains("gzip;q=0");
    }
}
