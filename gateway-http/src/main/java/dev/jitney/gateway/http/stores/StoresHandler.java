package dev.jitney.gateway.http.stores;

import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpEdge;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.exchange.RequestTarget;
import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.ShardFigures;
import dev.jitney.runtime.audit.Audit;
import dev.jitney.runtime.audit.AuditedAction;
import dev.jitney.runtime.security.Grant;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;

/**
 * The handler that shows, stops and starts messaging stores. For event loops; no method blocks.
 *
 * <table>
 * <caption>Requests, each with a token for Manage on the first namespace</caption>
 * <tr><th>request</th><th>response, in JSON</th></tr>
 * <tr><td>{@code GET /$stores}</td><td>the version of the program, and all stores</td></tr>
 * <tr><td>{@code GET /$stores/N}</td><td>one store</td></tr>
 * <tr><td>{@code POST /$stores/N/stop}</td><td>the store, once it is stopped</td></tr>
 * <tr><td>{@code POST /$stores/N/start}</td><td>the store, after the attempt to start it</td></tr>
 * </table>
 *
 * <p>The status is 202 if the operation takes longer than {@value #FOLLOWED_WITHIN_MS} ms, because the disk of the
 * store hangs.
 */
public final class StoresHandler implements Handler<RoutingContext> {
    private static final String NAME = "$stores";
    private static final String JSON = "application/json; charset=utf-8";
    private static final EntityAddress WHOLE_NAMESPACE = EntityAddress.parse("");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");
    private static final long FOLLOWED_WITHIN_MS = 10_000;

    private final Vertx vertx;
    private final Broker broker;
    private final String version;

    /**
     * Creates a handler for the listeners of an edge.
     *
     * @param version version of the program
     */
    public StoresHandler(HttpEdge edge, String version) {
        this.vertx = edge.vertx();
        this.broker = edge.broker();
        this.version = version;
    }

    @Override
    public void handle(RoutingContext context) {
        Exchange exchange = Exchange.of(context);
        exchange.guarded(() -> {
            RequestTarget target = exchange.target();
            if (isAbout(target)) {
                serve(exchange, target);
            } else {
                context.next();
            }
        });
    }

    /** Returns whether a path is for this handler. A queue may have the same name, with its messages below it. */
    private static boolean isAbout(RequestTarget target) {
        return target.size() > 0
                && target.segments().get(0).equalsIgnoreCase(NAME)
                && (target.size() == 1
                        || NUMBER.matcher(target.segments().get(1)).matches());
    }

    private void serve(Exchange exchange, RequestTarget target) throws RefusedException {
        Grant grant = exchange.authorize(WHOLE_NAMESPACE, AccessRight.MANAGE); // before any response
        if (!exchange.namespace().name().equals(broker.namespaces().get(0).name())) {
            throw new RefusedException(HttpError.unauthorized(
                    "Expected a request for the first namespace, because all namespaces share the stores. Use its host"
                            + " name and key."));
        }
        String action = target.size() == 3 ? target.segments().get(2) : "";
        if (target.size() == 1) {
            requireMethod(exchange, HttpMethod.GET);
            JsonArray all = new JsonArray();
            broker.shards().forEach(store -> all.add(json(store)));
            answer(exchange, 200, new JsonObject().put("version", version).put("stores", all));
        } else if (target.size() == 2) {
            requireMethod(exchange, HttpMethod.GET);
            answer(exchange, 200, json(broker.shards().get(index(target))));
        } else if (action.equals("stop") || action.equals("start")) {
            requireMethod(exchange, HttpMethod.POST);
            operate(exchange, grant, index(target), action.equals("stop"));
        } else {
            throw new RefusedException(HttpError.notFound(
                    "Expected /" + NAME + ", /" + NAME + "/N, /" + NAME + "/N/stop or /" + NAME + "/N/start."));
        }
    }

    private void operate(Exchange exchange, Grant grant, int index, boolean stop) {
        AuditedAction action = new AuditedAction(
                (stop ? "stop" : "start") + " messaging store " + index,
                grant.holder(),
                exchange.client(),
                exchange.namespace(),
                "",
                "");
        CompletionStage<Void> followed = stop ? broker.stopStore(index) : broker.startStore(index);
        long timer = vertx.setTimer(
                FOLLOWED_WITHIN_MS,
                late -> answer(exchange, 202, json(broker.shards().get(index))));
        exchange.whenEnded(() -> vertx.cancelTimer(timer));
        followed.whenCompleteAsync(
                (done, failure) -> {
                    if (failure == null) {
                        Audit.done(action, "");
                        answer(exchange, 200, json(broker.shards().get(index)));
                    } else {
                        Audit.refused(action, String.valueOf(failure.getMessage()));
                        exchange.fail(failure);
                    }
                },
                exchange.executor());
    }

    private int index(RequestTarget target) throws RefusedException {
        String text = target.segments().get(1);
        int count = broker.shards().size();
        if (text.length() <= 4 && Integer.parseInt(text) < count) {
            return Integer.parseInt(text);
        }
        throw new RefusedException(HttpError.notFound(
                "Expected the number of a messaging store from 0 to " + (count - 1) + ", but got another one."));
    }

    private static void requireMethod(Exchange exchange, HttpMethod method) throws RefusedException {
        HttpMethod asked = exchange.request().method();
        if (!asked.equals(method)) {
            exchange.response().putHeader(HttpHeaders.ALLOW, method.name());
            throw new RefusedException(HttpError.methodNotAllowed(asked.name()));
        }
    }

    private static JsonObject json(ShardFigures store) {
        return new JsonObject()
                .put("store", store.index())
                .put("state", store.state())
                .put("acceptsMessages", store.serving() && store.acceptsGrowth())
                .put("failures", store.failures())
                .put("trouble", store.trouble());
    }

    private static void answer(Exchange exchange, int status, JsonObject body) {
        if (!exchange.isOver()) {
            exchange.response().putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
            exchange.answer(status, JSON, Buffer.buffer(body.encode()));
        }
    }
}
