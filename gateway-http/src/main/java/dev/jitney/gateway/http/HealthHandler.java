package dev.jitney.gateway.http;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers {@code GET /health} in the emulator's words, with the reason when something is wrong (HTTP 4.2). */
final class HealthHandler implements Handler<RoutingContext> {
    private static final String HEALTHY = "{\"status\":\"healthy\",\"message\":\"Service is healthy.\"}";

    private final Supplier<@Nullable String> trouble;

    HealthHandler(Supplier<@Nullable String> trouble) {
        this.trouble = trouble;
    }

    @Override
    public void handle(RoutingContext context) {
        String reason = reason();
        context.response()
                .setStatusCode(reason == null ? 200 : 503)
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json; charset=utf-8")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .end(reason == null ? HEALTHY : unhealthy(reason));
    }

    private @Nullable String reason() {
        try {
            return trouble.get();
        } catch (RuntimeException e) {
            return "The state of the broker cannot be told: " + e;
        }
    }

    private static String unhealthy(String reason) {
        return new JsonObject()
                .put("status", "unhealthy")
                .put("message", reason)
                .encode();
    }
}
