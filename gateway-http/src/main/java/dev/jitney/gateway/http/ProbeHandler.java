package dev.jitney.gateway.http;

import dev.jitney.runtime.ShardFigures;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The handler of an orchestrator's probes. For event loops.
 *
 * <table>
 * <caption>Probes</caption>
 * <tr><th>request</th><th>200</th><th>503</th></tr>
 * <tr><td>{@code GET /health/live}</td><td>the process works, even while its stores fail, because a server reopens them
 * by itself</td><td>an internal error has ended a shard, and only a restart helps</td></tr>
 * <tr><td>{@code GET /health/ready}</td><td>all listeners accept connections and at least one store works; {@code
 * degraded} is true if a store is unavailable, its disk is full, entities are corrupt, or certificates need attention</td><td>the server starts or closes, a
 * listener is closed, or no store works</td></tr>
 * </table>
 *
 * <p>A server with a full disk stays ready: receivers have to reach it, because only they make room. If one of several
 * stores fails, the server stays ready for the users of the others.
 */
final class ProbeHandler implements Handler<RoutingContext> {
    private static final String LIVE = "/health/live";
    private static final String READY = "/health/ready";

    /** The paths of this handler. */
    static final List<String> PATHS = List.of(LIVE, READY);

    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

    private final ServerHealth health;
    private final Supplier<List<ShardFigures>> shards;

    ProbeHandler(ServerHealth health, Supplier<List<ShardFigures>> shards) {
        this.health = health;
        this.shards = shards;
    }

    @Override
    public void handle(RoutingContext context) {
        Answer answer = LIVE.equals(context.request().path()) ? live() : ready();
        JsonObject body = new JsonObject().put("status", answer.word);
        if (answer.degraded != null) {
            body.put("degraded", answer.degraded);
        }
        body.put("reasons", new JsonArray(answer.reasons));
        context.response()
                .setStatusCode(answer.status)
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json; charset=utf-8")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .end(body.encode());
    }

    private Answer live() {
        List<String> reasons = new ArrayList<>();
        for (ShardFigures shard : shards.get()) {
            if (shard.ended()) {
                reasons.add(String.valueOf(shard.trouble()));
            }
        }
        return reasons.isEmpty()
                ? new Answer(OK, "alive", null, reasons)
                : new Answer(UNAVAILABLE, "ended", null, reasons);
    }

    private Answer ready() {
        ServerHealth.Phase phase = health.phase();
        if (phase != ServerHealth.Phase.SERVING) {
            boolean starting = phase == ServerHealth.Phase.STARTING;
            return new Answer(
                    UNAVAILABLE,
                    starting ? "starting" : "closing",
                    false,
                    List.of(starting ? "The server is starting." : "The server is shutting down."));
        }
        List<String> reasons = new ArrayList<>();
        String listeners = health.listenerTrouble();
        if (listeners != null) {
            reasons.add(listeners);
        }
        reasons.addAll(health.warnings());
        int serving = 0;
        List<ShardFigures> all = shards.get();
        for (ShardFigures shard : all) {
            serving += shard.serving() ? 1 : 0;
            String reason = reason(shard);
            if (reason != null) {
                reasons.add(reason);
            }
        }
        if (listeners != null || serving == 0 && !all.isEmpty()) {
            return new Answer(UNAVAILABLE, "unavailable", true, reasons);
        }
        return new Answer(OK, reasons.isEmpty() ? "ready" : "degraded", !reasons.isEmpty(), reasons);
    }

    /**
     * Returns the problem of a shard, or null. Only the number of corrupt entities is shown, because the page needs no
     * authentication.
     */
    private static @Nullable String reason(ShardFigures shard) {
        if (!shard.serving() && shard.trouble() == null) {
            return "Messaging store " + shard.index() + " does not respond.";
        }
        if (shard.serving() && shard.acceptsGrowth() && shard.damagedEntities() > 0) {
            return "Messaging store " + shard.index() + " has corrupt entities that are out of service: "
                    + shard.damagedEntities() + ".";
        }
        return shard.trouble();
    }

    /** @param degraded null if the page has no such field */
    private record Answer(int status, String word, @Nullable Boolean degraded, List<String> reasons) {}
}
