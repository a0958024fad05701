package dev.jitney.gateway.http.console;

import dev.jitney.gateway.http.console.ConsoleSessions.Session;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.ExchangeHandler;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.request.JsonAnswer;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.KeyPolicy;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.audit.Audit;
import dev.jitney.runtime.audit.AuditedAction;
import dev.jitney.runtime.security.AuthenticationException;
import dev.jitney.runtime.security.Grant;
import dev.jitney.runtime.security.SharedAccessSignature;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The session of a browser: {@code GET} shows it, {@code POST} logs in, {@code DELETE} logs out. For event loops; no method blocks.
 *
 * <p>The public key of development needs no login on this machine, because it protects nothing.
 */
final class LoginHandler implements ExchangeHandler {
    private static final int BODY_BYTES_MAX = 4 << 10;

    private final ConsoleSessions sessions;
    private final LoginAttempts attempts = new LoginAttempts();
    private final String version;

    LoginHandler(ConsoleSessions sessions, String version) {
        this.sessions = sessions;
        this.version = version;
    }

    @Override
    public void handle(Exchange exchange) throws RefusedException {
        exchange.refuseInJson();
        RequestOrigin.check(exchange);
        switch (exchange.request().method().name()) {
            case "GET", "HEAD" -> show(exchange, sessions.of(exchange));
            case "POST" ->
                exchange.body(BODY_BYTES_MAX)
                        .onFailure(exchange::fail)
                        .onSuccess(body -> exchange.guarded(() -> logIn(exchange, LoginRequest.of(body.getBytes()))));
            case "DELETE" -> {
                sessions.end(exchange);
                show(exchange, null);
            }
            default -> {
                exchange.response().putHeader(HttpHeaders.ALLOW, "GET, POST, DELETE");
                throw new RefusedException(
                        HttpError.methodNotAllowed(exchange.request().method().name()));
            }
        }
    }

    private void logIn(Exchange exchange, LoginRequest request) throws RefusedException {
        String address = address(exchange);
        long wait = attempts.waitSeconds(address, exchange.nowMs());
        if (wait > 0) {
            exchange.response().putHeader(HttpHeaders.RETRY_AFTER, Long.toString(wait));
            throw new RefusedException(new HttpError(
                    429, 0, "Too many failed logins from this address. Try again in " + wait + " seconds."));
        }
        Namespace namespace = namespace(exchange, request);
        try {
            Session session =
                    request.publicKey() ? withPublicKey(exchange, namespace) : withKey(exchange, namespace, request);
            sessions.start(exchange, session);
            Audit.done(action(exchange, namespace, session.ruleName()), "");
            show(exchange, session);
        } catch (RefusedException refused) {
            if (refused.error().status() == 401) {
                attempts.failed(address, exchange.nowMs());
                Audit.refused(action(exchange, namespace, ""), refused.error().sentence());
            }
            throw refused;
        }
    }

    private static Session withKey(Exchange exchange, Namespace namespace, LoginRequest request)
            throws RefusedException {
        try {
            SharedAccessSignature.checkKey(request.keyName(), request.key(), namespace);
        } catch (AuthenticationException refused) {
            throw new RefusedException(
                    HttpError.unauthorized("Expected the name and the key of an authorization rule of the"
                            + " namespace '" + namespace.name() + "', but the name or the key is wrong."));
        }
        EntityAddress entity = EntityAddress.parse(request.entityPath());
        Session session =
                ConsoleSessions.with(exchange, namespace, request.keyName(), request.key(), entity.path(), false);
        if (rights(exchange, session).isEmpty()) {
            throw new RefusedException(HttpError.badRequest(
                    request.entityPath().isEmpty()
                            ? "This key belongs to an entity. Use a connection string with EntityPath."
                            : "This key has no right to the entity in EntityPath."));
        }
        return session;
    }

    private static Session withPublicKey(Exchange exchange, Namespace namespace) throws RefusedException {
        AccessRule rule = exchange.isLocal() ? publicRule(namespace) : null;
        if (rule == null) {
            throw new RefusedException(
                    HttpError.badRequest("A login without a key needs a server with the public key, and a"
                            + " browser on its machine that uses the host localhost, 127.0.0.1 or [::1]."));
        }
        return ConsoleSessions.with(exchange, namespace, rule.name(), KeyPolicy.PUBLIC_KEY, "", true);
    }

    private static @Nullable AccessRule publicRule(Namespace namespace) {
        for (AccessRule rule : namespace.accessRules()) {
            if (KeyPolicy.PUBLIC_KEY.equals(rule.primaryKey()) && rule.rights().contains(AccessRight.MANAGE)) {
                return rule;
            }
        }
        return null;
    }

    private static Namespace namespace(Exchange exchange, LoginRequest request) {
        Namespace named =
                exchange.isNamespaceKnown() || request.host() == null ? null : exchange.namespaceNamed(request.host());
        return named == null ? exchange.namespaceOfRule(request.keyName()) : named;
    }

    private void show(Exchange exchange, @Nullable Session session) {
        JsonObject document = new JsonObject().put("version", version);
        Set<AccessRight> rights = session == null ? Set.of() : rights(exchange, session);
        if (session == null || rights.isEmpty()) {
            boolean withoutKey = exchange.isLocal() && publicRule(exchange.namespace()) != null;
            JsonAnswer.send(
                    exchange,
                    document.put("loggedIn", false).put("publicKey", withoutKey).toBuffer());
            return;
        }
        JsonArray words = new JsonArray();
        rights.forEach(right ->
                words.add(right.name().charAt(0) + right.name().substring(1).toLowerCase(Locale.ROOT)));
        document.put("loggedIn", true)
                .put("namespace", session.credential().namespace().name())
                .put("keyName", session.ruleName())
                .put("rights", words)
                .put("publicKey", session.publicKey())
                .put("expiresAt", Instant.ofEpochMilli(session.expiresAtMs()).toString());
        if (!session.entityPath().isEmpty()) {
            document.put("entity", session.entityPath());
        }
        JsonAnswer.send(exchange, document.toBuffer());
    }

    /** Returns the rights that the rule of a session has now; none if its key has changed. */
    private static Set<AccessRight> rights(Exchange exchange, Session session) {
        Set<AccessRight> rights = EnumSet.noneOf(AccessRight.class);
        EntityAddress entity = EntityAddress.parse(session.entityPath());
        long nowMs = exchange.nowMs();
        try {
            Grant grant = SharedAccessSignature.check(
                    session.credential().token(), entity, session.credential().namespace(), nowMs);
            for (AccessRight right : AccessRight.values()) {
                if (grant.permits(right, entity, nowMs)) {
                    rights.add(right);
                }
            }
            return rights;
        } catch (AuthenticationException changed) {
            return rights;
        }
    }

    private static AuditedAction action(Exchange exchange, Namespace namespace, String key) {
        return new AuditedAction("log in to the console", key, exchange.client(), namespace, "", "");
    }

    private static @Nullable String address(Exchange exchange) {
        SocketAddress address = exchange.request().remoteAddress();
        return address == null ? null : address.hostAddress();
    }
}
