package dev.jitney.gateway.http.namespaces;

import dev.jitney.gateway.http.admin.NewKeys;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpEdge;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.exchange.RequestTarget;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.ClientText;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityNames;
import dev.jitney.model.Rejection;
import dev.jitney.model.TierProfile;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.audit.Audit;
import dev.jitney.runtime.audit.AuditedAction;
import dev.jitney.runtime.security.Grant;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The handler that lists, creates and deletes namespaces. For event loops; no method blocks.
 *
 * <table>
 * <caption>Requests, each with a token for Manage on the first namespace</caption>
 * <tr><th>request</th><th>response, in JSON</th></tr>
 * <tr><td>{@code GET /$namespaces}</td><td>all namespaces, and their maximum number</td></tr>
 * <tr><td>{@code PUT /$namespaces/NAME} with {@code {"tier": …, "keyName": …}} or no body</td><td>201 and the key, only once</td>
 * </tr>
 * <tr><td>{@code DELETE /$namespaces/NAME}</td><td>204 when all its entities are deleted</td></tr>
 * </table>
 *
 * <p>A deletion that takes longer than {@value #FOLLOWED_WITHIN_MS} ms gets a 202 and continues.
 */
public final class NamespacesHandler implements Handler<RoutingContext> {
    private static final String NAME = "$namespaces";
    private static final String JSON = "application/json; charset=utf-8";
    private static final EntityAddress WHOLE_NAMESPACE = EntityAddress.parse("");
    private static final int BODY_BYTES_MAX = 4 * 1024;
    private static final long FOLLOWED_WITHIN_MS = 10_000;
    /** A key name that needs no escapes in a connection string or a token. */
    private static final Pattern KEY_NAME = Pattern.compile("[A-Za-z0-9._-]{1,256}");

    private static final Set<String> MEMBERS = Set.of("tier", "keyName");

    private final Vertx vertx;
    private final Broker broker;
    private final NewKeys keys = new NewKeys();

    /** Creates a handler for the listeners of an edge. */
    public NamespacesHandler(HttpEdge edge) {
        this.vertx = edge.vertx();
        this.broker = edge.broker();
    }

    @Override
    public void handle(RoutingContext context) {
        Exchange exchange = Exchange.of(context);
        exchange.guarded(() -> {
            RequestTarget target = exchange.target();
            if (target.size() > 0 && target.segments().get(0).equalsIgnoreCase(NAME)) {
                serve(exchange, target);
            } else {
                context.next();
            }
        });
    }

    private void serve(Exchange exchange, RequestTarget target) throws RefusedException {
        Grant grant = exchange.authorize(WHOLE_NAMESPACE, AccessRight.MANAGE); // before any response
        if (exchange.namespace() != broker.namespaces().get(0)) {
            throw new RefusedException(HttpError.unauthorized(
                    "Expected a request for the first namespace, because namespaces belong to the server. Use its host"
                            + " name and key."));
        }
        String method = exchange.request().method().name();
        if (target.size() == 1) {
            if (!method.equals("GET")) {
                throw refusedMethod(exchange, method, "GET");
            }
            answer(exchange, 200, all());
        } else if (target.size() > 2) {
            throw new RefusedException(HttpError.notFound("Expected /" + NAME + " or /" + NAME + "/NAME."));
        } else if (method.equals("PUT")) {
            create(exchange, grant, target.segments().get(1));
        } else if (method.equals("DELETE")) {
            delete(exchange, grant, target.segments().get(1));
        } else {
            throw refusedMethod(exchange, method, "PUT, DELETE");
        }
    }

    private static RefusedException refusedMethod(Exchange exchange, String method, String allowed) {
        exchange.response().putHeader(HttpHeaders.ALLOW, allowed);
        return new RefusedException(HttpError.methodNotAllowed(method));
    }

    private JsonObject all() {
        JsonArray all = new JsonArray();
        for (Namespace namespace : broker.namespaces()) {
            all.add(new JsonObject()
                    .put("name", namespace.name())
                    .put("tier", namespace.limits().tier().name())
                    .put("entities", namespace.entities().size())
                    .put("origin", namespace.isConfigured() ? "configuration" : "run time")
                    .put("state", "serving"));
        }
        for (String name : broker.leavingNamespaces()) {
            all.add(new JsonObject().put("name", name).put("origin", "run time").put("state", "being deleted"));
        }
        return new JsonObject().put("namespaces", all).put("max", broker.namespacesMax());
    }

    private void create(Exchange exchange, Grant grant, String name) throws RefusedException {
        AuditedAction action = audited("create namespace", exchange, grant, name);
        Rejection refusal = EntityNames.refuseNamespace(name);
        if (refusal != null) {
            Audit.refused(action, refusal.description());
            throw new RefusedException(refusal);
        }
        String host = exchange.authority();
        boolean hostNames = exchange.namespaceNamed(host) != null;
        if (!hostNames && host.split("[.:]", 2)[0].equalsIgnoreCase(name)) {
            String reason = "Expected a name that differs from the first label of the host '" + host
                    + "', which clients use for the first namespace. Choose another name than '" + name + "'.";
            Audit.refused(action, reason);
            throw new RefusedException(HttpError.badRequest(reason));
        }
        exchange.body(BODY_BYTES_MAX)
                .onFailure(exchange::fail)
                .onSuccess(body -> exchange.guarded(() -> create(exchange, action, name, hostNames, body)));
    }

    private void create(Exchange exchange, AuditedAction action, String name, boolean hostNames, Buffer body)
            throws RefusedException {
        JsonObject asked = asked(body);
        TierProfile tier = tier(asked);
        String keyName = text(asked, "keyName");
        if (keyName != null && !KEY_NAME.matcher(keyName).matches()) {
            throw new RefusedException(HttpError.badRequest("Expected 1 to 256 letters, digits, '.', '-' or '_' in"
                    + " 'keyName', but got '" + ClientText.abbreviate(keyName) + "'."));
        }
        AccessRule rule = new AccessRule(
                keyName == null ? name.toLowerCase(Locale.ROOT) + "-root" : keyName,
                EnumSet.allOf(AccessRight.class),
                keys.next(),
                keys.next());
        follow(
                exchange,
                action,
                "tier " + tier + ", key name " + rule.name(),
                broker.createNamespace(name, tier, List.of(rule)),
                () -> answer(
                        exchange,
                        201,
                        new JsonObject()
                                .put("name", name)
                                .put("tier", tier.name())
                                .put("keyName", rule.name())
                                .put("primaryKey", rule.primaryKey())
                                .put("secondaryKey", rule.secondaryKey())
                                .put("hostNamesNamespaces", hostNames)));
    }

    private static JsonObject asked(Buffer body) throws RefusedException {
        try {
            JsonObject asked = body.length() == 0 ? new JsonObject() : new JsonObject(body);
            for (String member : asked.fieldNames()) {
                if (!MEMBERS.contains(member)) {
                    throw new RefusedException(HttpError.badRequest(
                            "Expected the members tier and keyName, but got '" + ClientText.abbreviate(member) + "'."));
                }
            }
            return asked;
        } catch (DecodeException | ClassCastException malformed) {
            throw new RefusedException(HttpError.badRequest(
                    "Expected a body such as {\"tier\": \"STANDARD\"}, but it is not a JSON object."));
        }
    }

    private static @Nullable String text(JsonObject asked, String member) throws RefusedException {
        Object value = asked.getValue(member);
        if (value == null || value instanceof String) {
            return (String) value;
        }
        throw new RefusedException(HttpError.badRequest("Expected a string in '" + member + "'."));
    }

    /** Returns the requested tier, by default that of the first namespace. */
    private TierProfile tier(JsonObject asked) throws RefusedException {
        String text = text(asked, "tier");
        if (text == null) {
            return broker.namespaces().get(0).limits().tier();
        }
        for (TierProfile tier : TierProfile.values()) {
            if (tier.name().equalsIgnoreCase(text)) {
                return tier;
            }
        }
        throw new RefusedException(HttpError.badRequest(
                "Expected BASIC, STANDARD or PREMIUM in 'tier', but got '" + ClientText.abbreviate(text) + "'."));
    }

    private void delete(Exchange exchange, Grant grant, String name) {
        AuditedAction action = audited("delete namespace", exchange, grant, name);
        long timer = vertx.setTimer(
                FOLLOWED_WITHIN_MS,
                late -> answer(exchange, 202, new JsonObject().put("name", name).put("state", "being deleted")));
        exchange.whenEnded(() -> vertx.cancelTimer(timer));
        follow(exchange, action, "", broker.deleteNamespace(name), () -> {
            if (!exchange.isOver()) {
                exchange.answer(204);
            }
        });
    }

    /** Returns an action for the trail of the first namespace, because a deleted namespace has none. */
    private static AuditedAction audited(String what, Exchange exchange, Grant grant, String name) {
        return new AuditedAction(
                what,
                grant.holder(),
                exchange.client(),
                ClientText.abbreviate(name),
                exchange.namespace().auditTrail(),
                "",
                "");
    }

    private static void follow(
            Exchange exchange, AuditedAction action, String how, CompletionStage<?> work, Runnable answer) {
        work.whenCompleteAsync(
                (done, failure) -> {
                    if (failure == null) {
                        Audit.done(action, how);
                        exchange.guarded(answer::run);
                        return;
                    }
                    Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                            ? failure.getCause()
                            : failure;
                    Audit.refused(
                            action,
                            cause instanceof BrokerException refused
                                    ? refused.rejection().description()
                                    : String.valueOf(cause.getMessage()));
                    if (!exchange.isOver()) {
                        exchange.fail(cause);
                    }
                },
                exchange.executor());
    }

    private static void answer(Exchange exchange, int status, JsonObject body) {
        if (!exchange.isOver()) {
            exchange.response().putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
            exchange.answer(status, JSON, Buffer.buffer(body.encode()));
        }
    }
}
