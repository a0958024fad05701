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
 * The handler of {@code GET /health}, in the emulator's format, with the reason if the server is unhealthy (HTTP 4.2).
 * Corrupt entities do not make the server unhealthy: a restart does not repair them, and the other entities keep
 * working. The page shows only their number, because it needs no authentication.
 */
final class HealthHandler implements Handler<RoutingContext> {
    /**
     * The paths of this handler. A server without a cluster is always in sync, and the clients of a cluster are served by its leader, which is
     * too. The page of a single node of a cluster is that of its node port.
     */
    static final List<String> PATHS = List.of("/health", "/health/synced");

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
                damages.add("Messaging store " + shard.index() + " has corrupt entities that are out of service: "
                        + shard.damagedEntities() + ".");
            }
        }
        return damages.length() == 0
                ? HEALTHY
                : body("degraded", damages + " For their names, see the log or run jitney store list.");
    }

    private @Nullable String reason() {
        try {
            return trouble.get();
        } catch (RuntimeException e) {
            return "Cannot determine the state of the broker: " + e;
        }
    }

    private static String body(String status, String message) {
        return new JsonObject().put("status", status).put("message", message).encode();
    }
}
