package dev.jitney.gateway.http.exchange;

import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.client.AddressLimits;
import dev.jitney.runtime.security.AuthenticationException;
import dev.jitney.runtime.security.Grant;
import dev.jitney.runtime.security.Identity;
import dev.jitney.runtime.security.IdentityGrant;
import dev.jitney.runtime.security.IdentityProvider;
import dev.jitney.runtime.security.OperatorRole;
import dev.jitney.runtime.security.SharedAccessSignature;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetAddress;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The credential of one request and its rights: an {@code Authorization}, the session of a browser, or the certificate of the client.
 * {@link Exchange} describes the operations. For the event loop of the exchange.
 */
final class RequestAuthorization {
    /** A credential of which too many were refused is not checked. */
    private static final String PAUSED =
            "Too many credentials of your address were refused, so that Jitney does not check"
                    + " more of them for a while. Correct the key, and try again later.";

    private final Exchange exchange;
    private final HttpEdge edge;
    private final BearerTokens bearerTokens;
    private @Nullable BrowserSessions sessions;
    private @Nullable OperatorRole role;

    /** True if the client has the rights of its certificate. */
    private boolean byCertificate;

    /** True if the client has the rights of a browser's session. */
    private boolean bySession;

    /** Counts a wrong key of an attempt that does not decide the request, if no other one succeeds; null if there is none. */
    private @Nullable Runnable guess;

    /** True once the credential had a right. A later refusal is no attempt to guess its key. */
    private boolean accepted;

    RequestAuthorization(Exchange exchange, HttpEdge edge) {
        this.exchange = exchange;
        this.edge = edge;
        this.bearerTokens = new BearerTokens(edge.identities());
    }

    /**
     * The credential of the request.
     *
     * @param token null if there is none
     * @param identity the user of the browser's session, or null
     * @param ofSession the namespace of the browser's session, or null if the token is not that of a session
     */
    private record Credential(
            @Nullable String token,
            @Nullable Identity identity,
            @Nullable Namespace ofSession) {}

    void identify(Runnable then) {
        Set<String> tokens = asksForHealth()
                ? Set.of() // needs no credential
                : bearerTokens.in(exchange.request());
        if (tokens.isEmpty()) {
            then.run();
        } else if (edge.admission().addresses().mayAuthenticate(exchange.clientAddress(), null)) {
            bearerTokens.verify(tokens, exchange.request(), exchange.nowMs(), exchange.executor(), () -> {
                for (int i = bearerTokens.forged(); i > 0; i--) { // whatever handles the request: the check was work
                    countGuess(exchange.namespace(), null);
                }
                then.run();
            });
        } else {
            bearerTokens.refuse(tokens, AuthenticationException.of(AuthenticationException.Reason.UNAVAILABLE, PAUSED));
            then.run();
        }
    }

    /** Returns whether a health page will answer, and not the administration of an entity with the same path. */
    boolean asksForHealth() {
        HttpServerRequest request = exchange.request();
        return (request.method() == HttpMethod.GET || request.method() == HttpMethod.HEAD)
                && Exchange.isHealth(request.path())
                && !RequestTarget.tellsVersion(request.query());
    }

    void acceptSessionsOf(BrowserSessions accepting) {
        sessions = accepting;
    }

    void acceptRole(OperatorRole needed) {
        role = needed;
    }

    boolean isPermitted(Grant grant, EntityAddress entity, AccessRight right) {
        OperatorRole needed = role;
        long nowMs = exchange.nowMs();
        return grant.permits(right, entity, nowMs) || needed != null && grant.hasRole(needed, entity, nowMs);
    }

    Grant authorize(EntityAddress entity, AccessRight... anyOf) throws RefusedException {
        return authorize(credential(), entity, true, anyOf);
    }

    @Nullable
    Grant attempt(EntityAddress entity, AccessRight... anyOf) {
        try {
            return authorize(credential(), entity, false, anyOf);
        } catch (RefusedException refused) {
            return null;
        }
    }

    @Nullable
    Grant attemptItsResource(AccessRight... anyOf) {
        try {
            Credential credential = credential();
            EntityAddress named =
                    credential.identity() == null ? SharedAccessSignature.resource(credential.token()) : null;
            return authorize(credential, named == null ? EntityAddress.parse("") : named, false, anyOf);
        } catch (RefusedException refused) {
            return null;
        }
    }

    Namespace judgingNamespace() throws RefusedException {
        Credential credential = credential();
        if (credential.ofSession() != null) {
            return credential.ofSession();
        }
        if (credential.token() == null) {
            Namespace ofCertificate = ClientCertificates.namespace(
                    exchange.request(), edge.admission().certificates(), edge.broker(), named());
            return ofCertificate == null ? exchange.namespace() : ofCertificate;
        }
        return namespaceOfKey(credential.token());
    }

    boolean hasKeyOfEntity() {
        try {
            Credential credential = credential();
            String token = credential.token();
            String name = SharedAccessSignature.keyName(token);
            if (name == null || !edge.admission().addresses().mayAuthenticate(exchange.clientAddress(), name)) {
                return false;
            }
            for (Entity entity : judgingNamespace().entities()) {
                boolean named = entity.description().accessRules().stream()
                        .anyMatch(rule -> rule.name().equalsIgnoreCase(name)
                                || rule.name().equalsIgnoreCase(name.replace('+', ' ')));
                if (named && isSignedBy(entity, token)) {
                    return true;
                }
            }
        } catch (RefusedException refused) {
            // its request has no valid credential at all
        }
        return false;
    }

    private boolean isSignedBy(Entity entity, @Nullable String token) throws RefusedException {
        try {
            SharedAccessSignature.check(
                    token,
                    EntityAddress.ofPath(entity.path()),
                    exchange.target().path(),
                    judgingNamespace(),
                    exchange.nowMs());
            return true;
        } catch (AuthenticationException refused) {
            return false;
        }
    }

    boolean mayChangeAtAnyTime() {
        return byCertificate || bySession;
    }

    long accessVersion() {
        return exchange.namespace().accessVersion() + edge.identities().version();
    }

    @Nullable
    Grant current(Grant grant, EntityAddress entity, AccessRight right) {
        Namespace namespace = exchange.namespace();
        if (bySession && !hasSession()) {
            return null;
        }
        if (!byCertificate) {
            return grant.underRulesOf(namespace);
        }
        ClientCertificates.Granted granted = ClientCertificates.grant(
                exchange.request(), edge.admission().certificates(), edge.broker(), namespace, entity, right);
        return granted == null ? null : granted.grant();
    }

    private boolean hasSession() {
        try {
            return credential().ofSession() != null;
        } catch (RefusedException ended) {
            return false;
        }
    }

    void authorizeAlso(String credential, EntityAddress entity, AccessRight right) throws RefusedException {
        HttpAuthorization.check(
                credential, entity, entity.path(), exchange.namespace(), exchange.nowMs(), bearerTokens, null, right);
    }

    private Credential credential() throws RefusedException {
        List<String> credentials = exchange.request().headers().getAll(HttpHeaders.AUTHORIZATION);
        if (credentials.size() > 1) {
            throw new RefusedException(
                    HttpError.unauthorized("Expected one Authorization header, but got " + credentials.size() + "."));
        }
        BrowserSessions.Credential session =
                credentials.isEmpty() && sessions != null ? sessions.credential(exchange) : null;
        Namespace named = named();
        if (session != null && named != null && session.namespace() != named) {
            throw new RefusedException(HttpError.unauthorized("Expected a session of the namespace '" + named.name()
                    + "', but this one is for '" + session.namespace().name() + "'. Log in again."));
        }
        return session != null
                ? new Credential(session.token(), session.identity(), session.namespace())
                : new Credential(credentials.isEmpty() ? null : credentials.get(0), null, null);
    }

    /** Returns the namespace that the host of the request, or an accepted key, has determined, or null. */
    private @Nullable Namespace named() {
        return exchange.isNamespaceKnown() ? exchange.namespace() : null;
    }

    /** @param counts whether a wrong key counts as an attempt to guess it */
    private Grant authorize(Credential credential, EntityAddress entity, boolean counts, AccessRight... anyOf)
            throws RefusedException {
        Identity user = credential.identity();
        if (user != null && credential.ofSession() != null) {
            Grant grant = ofUser(user, credential.ofSession());
            HttpAuthorization.require(grant, entity, exchange.nowMs(), role, anyOf);
            authorized(credential.ofSession(), grant);
            bySession = true;
            return grant;
        }
        if (credential.token() == null) {
            ClientCertificates.Granted granted = ClientCertificates.grant(
                    exchange.request(), edge.admission().certificates(), edge.broker(), named(), entity, anyOf);
            if (granted != null) {
                HttpAuthorization.require(granted.grant(), entity, exchange.nowMs(), role, anyOf);
                authorized(granted.namespace(), granted.grant());
                byCertificate = true;
                return granted.grant();
            }
        }
        Namespace ofSession = credential.ofSession();
        Namespace judging = ofSession != null ? ofSession : namespaceOfKey(credential.token());
        Grant grant = checked(credential.token(), entity, judging, counts, anyOf);
        authorized(judging, grant);
        bySession = ofSession != null;
        return grant;
    }

    private void authorized(Namespace by, Grant grant) {
        accepted = true;
        exchange.authorized(by, grant);
    }

    /** Returns the grant of a user of the identity provider, who has a session. */
    private Grant ofUser(Identity user, Namespace ofSession) throws RefusedException {
        IdentityProvider provider = edge.identities();
        if (exchange.nowMs() >= user.expiresAtMs() || !provider.trusts(user)) {
            throw new RefusedException(HttpError.unauthorized("The session of the console has ended. Log in again."));
        }
        return new IdentityGrant(user, ofSession.name(), provider);
    }

    /** Checks a token, unless too many of the client's address were refused. */
    private Grant checked(
            @Nullable String token, EntityAddress entity, Namespace judging, boolean counts, AccessRight... anyOf)
            throws RefusedException {
        AddressLimits limits = edge.admission().addresses();
        InetAddress address = exchange.clientAddress();
        String name = token == null ? null : SharedAccessSignature.keyName(token);
        boolean isSignature = BearerTokens.in(token) == null; // others were checked, and counted, by identify
        if (token != null && isSignature && !limits.mayAuthenticate(address, name)) {
            throw new RefusedException(HttpError.busy(PAUSED));
        }
        try {
            Grant grant = HttpAuthorization.check(
                    token, entity, exchange.target().path(), judging, exchange.nowMs(), bearerTokens, role, anyOf);
            limits.accepted(address, name);
            return grant;
        } catch (RefusedException refused) {
            note(refused.error(), isSignature, judging, name, counts);
            throw refused;
        }
    }

    /** Counts a refusal as an attempt to guess a key, once for each request: now, or when the request is refused. */
    private void note(
            HttpError refusal, boolean countsHere, Namespace judging, @Nullable String name, boolean isFinal) {
        if (accepted) {
            return;
        }
        if (refusal.isWrongKey() && countsHere) {
            guess = () -> countGuess(judging, name);
        }
        if (isFinal) {
            countWrongKey();
        }
    }

    /** Counts a wrong key that an attempt has found, if it is not counted yet: nothing else checks the credential of the request. */
    void countWrongKey() {
        Runnable uncounted = guess;
        if (uncounted != null) {
            guess = null;
            uncounted.run();
        }
    }

    private void countGuess(Namespace judging, @Nullable String name) {
        edge.admission().addresses().refused(exchange.clientAddress(), name);
        edge.admission().credentials().failed(judging, name);
    }

    private Namespace namespaceOfKey(@Nullable String token) {
        Namespace ofIdentity = exchange.isNamespaceKnown() ? null : bearerTokens.namespace(token, edge.broker());
        return ofIdentity != null ? ofIdentity : exchange.namespaceOfRule(SharedAccessSignature.keyName(token));
    }
}
