package dev.jitney.gateway.http.console;

import dev.jitney.gateway.http.exchange.BrowserSessions;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.security.SharedAccessSignature;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of browsers, in memory. Neither the browser nor this process keeps the key: a session has a token of the key, which is
 * checked again at each request. So a session ends when its key changes. Any thread may call it.
 */
public final class ConsoleSessions implements BrowserSessions {
    /** The life of a session. */
    static final long LIFE_MS = 8 * 3_600_000L;

    /** The maximum of sessions. Beyond it, the one ends that was not used for the longest time. */
    static final int SESSIONS_MAX = 1_000;

    private static final int ID_BYTES = 32;
    private static final int ID_CHARACTERS = 43;

    private final SecureRandom random = new SecureRandom();

    /** The sessions by the digest of their id, so that the time of a look-up does not depend on the ids. */
    private final Map<String, Session> sessions = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Session> eldest) {
            return size() > SESSIONS_MAX;
        }
    };

    /**
     * A session.
     *
     * @param entityPath the only entity of the connection string, or empty
     * @param publicKey true if the key is public, so that no login was needed
     */
    record Session(Credential credential, String ruleName, String entityPath, boolean publicKey, long expiresAtMs) {}

    /** Returns a session with a key that has been checked. It begins when it is {@linkplain #start started}. */
    static Session with(
            Exchange exchange, Namespace namespace, String ruleName, String key, String entityPath, boolean publicKey) {
        long expiresAtMs = exchange.nowMs() + LIFE_MS;
        String token = SharedAccessSignature.create(
                "sb://" + namespace.name() + "/" + entityPath, ruleName, key, expiresAtMs / 1_000);
        return new Session(new Credential(token, namespace), ruleName, entityPath, publicKey, expiresAtMs);
    }

    /** Starts a session, and gives its cookie to the browser. It replaces the session that the browser had. */
    void start(Exchange exchange, Session session) {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        String old = id(exchange);
        synchronized (sessions) {
            if (old != null) {
                sessions.remove(digest(old));
            }
            sessions.put(digest(id), session);
        }
        exchange.response().addCookie(cookie(exchange, id).setMaxAge(LIFE_MS / 1_000));
    }

    /** Ends the session of a request, if it has one. */
    void end(Exchange exchange) {
        String id = id(exchange);
        if (id != null) {
            synchronized (sessions) {
                sessions.remove(digest(id));
            }
        }
        exchange.response().addCookie(cookie(exchange, "").setMaxAge(0));
    }

    /** Returns the session of a request, or null if it has none, or if the session has ended. */
    @Nullable
    Session of(Exchange exchange) {
        String id = id(exchange);
        if (id == null) {
            return null;
        }
        synchronized (sessions) {
            String digest = digest(id);
            Session session = sessions.get(digest);
            if (session != null && session.expiresAtMs() <= exchange.nowMs()) {
                sessions.remove(digest);
                return null;
            }
            return session;
        }
    }

    @Override
    public @Nullable Credential credential(Exchange exchange) throws RefusedException {
        if (id(exchange) == null) {
            return null;
        }
        RequestOrigin.check(exchange);
        Session session = of(exchange);
        if (session == null || session.credential().namespace().isGone()) {
            throw new RefusedException(HttpError.unauthorized("The session of the console has ended. Log in again."));
        }
        return session.credential();
    }

    /**
     * The name contains the port, because the cookies of a host are common to its ports, where several servers may run.
     */
    private static String name(Exchange exchange) {
        String authority = exchange.authority();
        int colon = authority.lastIndexOf(':');
        String port = colon < authority.lastIndexOf(']') || colon < 0 ? "" : "-" + authority.substring(colon + 1);
        return "jitney-console" + port;
    }

    private static Cookie cookie(Exchange exchange, String value) {
        return Cookie.cookie(name(exchange), value)
                .setPath("/")
                .setHttpOnly(true)
                .setSecure(RequestOrigin.isSecure(exchange))
                .setSameSite(CookieSameSite.STRICT);
    }

    private static @Nullable String id(Exchange exchange) {
        Cookie cookie = exchange.request().getCookie(name(exchange));
        String value = cookie == null ? null : cookie.getValue();
        return value == null || value.length() != ID_CHARACTERS ? null : value;
    }

    private static String digest(String id) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(digest);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Expected SHA-256 in this Java runtime, but it is missing.", e);
        }
    }
}
