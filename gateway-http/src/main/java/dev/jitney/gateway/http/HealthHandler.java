package dev.jitney.gateway.http;

import dev.jitney.runtime.ShardFigures;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code GET /health} in the emulator's words, with the reason when something is wrong (HTTP 4.2). Entities that are
 * damaged for themselves do not make the server unhealthy: nobody should start it anew or take it away from the others because
 * of them. They are told with their number only, since nobody has to say who asks.
 */
final class HealthHandler implements Handler<RoutingContext> {
    private static final String HEALTHY = "{\"status\":\"healthy\",\"message\":\"Service is healthy.\"}";

    private final Supplier<@Nullable String> trouble;
    private final Supplier<List<ShardFigures>> shards;

    HealthHandler(Supplier<@Nullable String> trouble, Supplier<List<ShardFigures>> shards) {
        this.trouble = trouble;
        this.shards = shards;
    }

    @Override
    public void handle(RoutingContext context) {
        String reason = reason();
        context.response()
                .setStatusCode(reason == null ? 200 : 503)
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json; charset=utf-8")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .end(reason == null ? served() : body("unhealthy", reason));
    }

    private String served() {
        StringJoiner damages = new StringJoiner(" ");
        for (ShardFigures shard : shards.get()) {
            if (shard.damagedEntities() > 0) {
                damages.add("Entities out of service because messaging store " + shard.index()
                        + " has found them damaged: " + shard.damagedEntities() + ".");
            }
        }
        return damages.length() == 0
                ? HEALTHY
                : body("degraded", damages + " The log names them, and so does jitney store list.");
    }

    private @Nullable String reason() {
        try {
            return trouble.get();
        } catch (RuntimeException e) {
            return "The state of the broker cannot be told: " + e;
        }
    }

    private static String body(String status, String message) {
        return new JsonObject().put("status", status).put("message", message).encode();
    }
}
