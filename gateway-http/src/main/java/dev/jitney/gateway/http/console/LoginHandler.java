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
import dev.jitney.runtime.security.IdentityGrant;
import dev.jitney.runtime.security.IdentityProvider;
import dev.jitney.runtime.security.LoginProvider.Login;
import dev.jitney.runtime.security.OperatorRole;
import dev.jitney.runtime.security.SharedAccessSignature;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.net.URI;
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
    private final IdentityProvider identities;
    private final String version;

    LoginHandler(ConsoleSessions sessions, IdentityProvider identities, String version) {
        this.sessions = sessions;
        this.identities = identities;
        this.version = version;
    }

    @Override
    public void handle(Exchange exchange) throws RefusedException {
        exchange.refuseInJson();
        RequestOrigin.check(exchange);
        switch (exchange.request().method().name()) {
            case "GET", "HEAD" ->
                sessions.whenReady(exchange, () -> exchange.guarded(() -> show(exchange, sessions.of(exchange), null)));
            case "POST" ->
                exchange.body(BODY_BYTES_MAX)
                        .onFailure(exchange::fail)
                        .onSuccess(body -> exchange.guarded(() -> logIn(exchange, LoginRequest.of(body.getBytes()))));
            case "DELETE" -> logOut(exchange);
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
            Audit.session(action(exchange, namespace, session.ruleName()));
            show(exchange, session, null);
        } catch (RefusedException refused) {
            if (refused.error().status() == 401) {
                attempts.failed(address, exchange.nowMs());
                Audit.refused(action(exchange, namespace, ""), refused.error().sentence());
            }
            throw refused;
        }
    }

    /** Ends the session. The answer names the address that also ends the session at the identity provider, if there is one. */
    private void logOut(Exchange exchange) {
        Session ended = sessions.end(exchange);
        if (ended != null) {
            AuditedAction action = new AuditedAction(
                    "log out of the console",
                    ended.ruleName(),
                    exchange.client(),
                    ended.credential().namespace(),
                    "",
                    "");
            Audit.session(action);
        }
        if (ended == null || ended.login() == null) {
            show(exchange, null, null);
            return;
        }
        identities
                .login()
                .endOfSession()
                .whenCompleteAsync(
                        (address, failure) -> exchange.guarded(
                                () -> show(exchange, null, failure == null ? address.orElse(null) : null)),
                        exchange.executor());
    }

    private Session withKey(Exchange exchange, Namespace namespace, LoginRequest request) throws RefusedException {
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

    private void show(Exchange exchange, @Nullable Session session, @Nullable URI endOfSession) {
        JsonObject document = new JsonObject().put("version", version);
        Set<AccessRight> rights = session == null ? Set.of() : rights(exchange, session);
        OperatorRole role = session == null ? null : role(exchange, session, rights);
        if (session == null || rights.isEmpty() && role == null) {
            if (endOfSession != null) {
                document.put("endOfSession", endOfSession.toASCIIString());
            }
            if (identities.login().isConfigured()) {
                document.put("provider", identities.login().name());
            }
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
                .put("expiresAt", Instant.ofEpochMilli(session.endMs()).toString());
        if (role != null) {
            document.put("role", role.word());
        }
        if (!session.entityPath().isEmpty()) {
            document.put("entity", session.entityPath());
        }
        JsonAnswer.send(exchange, document.toBuffer());
    }

    /** Returns the role of a session: that of the user, or the one that the rights of a key correspond to. */
    private @Nullable OperatorRole role(Exchange exchange, Session session, Set<AccessRight> rights) {
        if (session.login() != null) {
            Grant grant = ofUser(exchange, session.login(), session);
            return grant == null ? null : grant.role(EntityAddress.parse(session.entityPath()), exchange.nowMs());
        }
        if (rights.contains(AccessRight.MANAGE)) {
            return OperatorRole.ADMIN;
        }
        return rights.contains(AccessRight.LISTEN) ? OperatorRole.READER : null;
    }

    /** Returns the grant of a user, or null if the key behind the tokens was withdrawn. */
    private @Nullable Grant ofUser(Exchange exchange, Login login, Session session) {
        return identities.trusts(login.identity()) && !session.hasExpiredTokens(exchange.nowMs())
                ? new IdentityGrant(
                        login.identity(), session.credential().namespace().name(), identities)
                : null;
    }

    /** Returns the rights that the rule or the user of a session has now; none if the key has changed. */
    private Set<AccessRight> rights(Exchange exchange, Session session) {
        Set<AccessRight> rights = EnumSet.noneOf(AccessRight.class);
        EntityAddress entity = EntityAddress.parse(session.entityPath());
        long nowMs = exchange.nowMs();
        try {
            Login login = session.login();
            Grant grant = login != null
                    ? ofUser(exchange, login, session)
                    : SharedAccessSignature.check(
                            session.credential().token(),
                            entity,
                            session.credential().namespace(),
                            nowMs);
            if (grant == null) {
                return rights;
            }
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

    /** Returns the IP address of the client, or null if it is not known any more. */
    static @Nullable String address(Exchange exchange) {
        SocketAddress address = exchange.request().remoteAddress();
        return address == null ? null : address.hostAddress();
    }
}
