package dev.jitney.gateway.http.console;

import dev.jitney.gateway.http.exchange.BrowserSessions;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.security.LoginException;
import dev.jitney.runtime.security.LoginProvider;
import dev.jitney.runtime.security.LoginProvider.Login;
import dev.jitney.runtime.security.SharedAccessSignature;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpHeaders;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of browsers, in memory. Neither the browser nor this process keeps the key: a session has a token of the key, which is
 * checked again at each request. So a session ends when its key changes. The session of a user of the identity provider ends with the
 * tokens of the login, unless the refresh token gives new ones. Any thread may call it.
 */
public final class ConsoleSessions implements BrowserSessions {
    /** The life of a session. */
    static final long LIFE_MS = 8 * 3_600_000L;

    /** The maximum of sessions. Beyond it, the one ends that was not used for the longest time. */
    static final int SESSIONS_MAX = 1_000;

    /** The maximum of sessions of one user of the identity provider. Beyond it, the one ends that was not used for the longest time. */
    static final int OF_USER_MAX = 20;

    /** The maximum of sessions with the key of one access rule, which several people may share. Beyond it, the same holds. */
    static final int OF_KEY_MAX = 100;

    /** The time before the expiry of tokens at which they are renewed, while requests continue. */
    private static final long RENEWED_BEFORE_MS = 30_000;

    /** The time after which a renewal is tried again if the provider could not be reached. */
    private static final long RENEWED_AGAIN_MS = 10_000;

    private final LoginProvider provider;

    /** The renewals in progress, by the digest of the id of their session. */
    private final Map<String, CompletableFuture<Void>> renewals = new HashMap<>();

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
     * @param owner the digest of the key, or the subject of the user: the sessions of an owner are limited together
     * @param ruleName the name of the access rule, or of the user, for people
     * @param entityPath the only entity of the connection string or of the roles, or empty
     * @param publicKey true if the key is public, so that no login was needed
     * @param login the login with the identity provider, or null for a key
     * @param expiresAtMs the end of the session, whatever happens
     * @param renewAtMs the time from which the login is renewed; never if it has no refresh token
     */
    record Session(
            Credential credential,
            String owner,
            String ruleName,
            String entityPath,
            boolean publicKey,
            @Nullable Login login,
            long expiresAtMs,
            long renewAtMs) {

        /** Returns whether the tokens of the login have expired. */
        boolean hasExpiredTokens(long nowMs) {
            return login != null && login.identity().expiresAtMs() <= nowMs;
        }

        /** Returns the end of the session as it is known now. */
        long endMs() {
            return login == null || login.refreshToken() != null
                    ? expiresAtMs
                    : Math.min(expiresAtMs, login.identity().expiresAtMs());
        }

        private Session with(Login renewed, UserPlace place, long nowMs) {
            return new Session(
                    new Credential(null, renewed.identity(), place.namespace()),
                    owner,
                    renewed.identity().holder(),
                    place.entityPath(),
                    false,
                    renewed,
                    expiresAtMs,
                    ConsoleSessions.renewAtMs(renewed, nowMs));
        }

        private Session with(Login same, long renewAtMs) {
            return new Session(credential, owner, ruleName, entityPath, publicKey, same, expiresAtMs, renewAtMs);
        }
    }

    /** Creates sessions with keys only. */
    public ConsoleSessions() {
        this(LoginProvider.NONE);
    }

    /** @param provider renews the logins of its users */
    public ConsoleSessions(LoginProvider provider) {
        this.provider = provider;
    }

    /** Returns a session with a key that has been checked. It begins when it is {@linkplain #start started}. */
    static Session with(
            Exchange exchange, Namespace namespace, String ruleName, String key, String entityPath, boolean publicKey) {
        long expiresAtMs = exchange.nowMs() + LIFE_MS;
        String token = SharedAccessSignature.create(
                "sb://" + namespace.name() + "/" + entityPath, ruleName, key, expiresAtMs / 1_000);
        return new Session(
                new Credential(token, null, namespace),
                RandomTexts.digest(namespace.name() + " " + key),
                ruleName,
                entityPath,
                publicKey,
                null,
                expiresAtMs,
                Long.MAX_VALUE);
    }

    /** Returns a session of a user of the identity provider. It begins when it is {@linkplain #start started}. */
    static Session of(Login login, UserPlace place, long nowMs) {
        return new Session(
                new Credential(null, login.identity(), place.namespace()),
                login.identity().subject(),
                login.identity().holder(),
                place.entityPath(),
                false,
                login,
                nowMs + LIFE_MS,
                renewAtMs(login, nowMs));
    }

    /** Tokens with a short life are renewed when half of it is over. */
    private static long renewAtMs(Login login, long nowMs) {
        long lifeMs = login.identity().expiresAtMs() - nowMs;
        return login.refreshToken() == null
                ? Long.MAX_VALUE
                : login.identity().expiresAtMs() - Math.min(RENEWED_BEFORE_MS, lifeMs / 2);
    }

    /** Starts a session, and gives its cookie to the browser. It replaces the session that the browser had. */
    void start(Exchange exchange, Session session) {
        start(exchange, session, RequestOrigin.isSecure(exchange));
    }

    /**
     * Starts a session like {@link #start(Exchange, Session)}.
     *
     * @param secure whether the browser uses TLS, and may send the cookie only with it
     */
    void start(Exchange exchange, Session session, boolean secure) {
        String id = RandomTexts.fresh();
        String old = id(exchange);
        synchronized (sessions) {
            if (old != null) {
                sessions.remove(RandomTexts.digest(old));
            }
            makeRoom(session);
            sessions.put(RandomTexts.digest(id), session);
        }
        exchange.response().addCookie(cookie(exchange, id, secure).setMaxAge(LIFE_MS / 1_000));
    }

    /** Ends the oldest session of a user or a key that has too many, so that neither can end the sessions of others. */
    private void makeRoom(Session session) {
        List<String> own = sessions.entrySet().stream()
                .filter(entry -> haveOneOwner(entry.getValue(), session))
                .map(Map.Entry::getKey)
                .toList();
        if (own.size() >= (session.login() == null ? OF_KEY_MAX : OF_USER_MAX)) {
            sessions.remove(own.get(0));
        }
    }

    private static boolean haveOneOwner(Session one, Session other) {
        return (one.login() == null) == (other.login() == null) && one.owner().equals(other.owner());
    }

    /** Ends the session of a request, and returns it, or null if it has none. */
    @Nullable
    Session end(Exchange exchange) {
        String id = id(exchange);
        Session ended = null;
        if (id != null) {
            synchronized (sessions) {
                ended = sessions.remove(RandomTexts.digest(id));
            }
        }
        exchange.response()
                .addCookie(
                        cookie(exchange, "", RequestOrigin.isSecure(exchange)).setMaxAge(0));
        return ended;
    }

    /** Returns the session of a request, or null if it has none, or if the session has ended. */
    @Nullable
    Session of(Exchange exchange) {
        String id = id(exchange);
        return id == null ? null : session(RandomTexts.digest(id), exchange.nowMs());
    }

    private @Nullable Session session(String digest, long nowMs) {
        synchronized (sessions) {
            Session session = sessions.get(digest);
            if (session != null && session.endMs() <= nowMs) {
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
        if (session == null
                || session.credential().namespace().isGone()
                || session.hasExpiredTokens(exchange.nowMs())) {
            throw new RefusedException(HttpError.unauthorized("The session of the console has ended. Log in again."));
        }
        return session.credential();
    }

    /** Renews the tokens of the session if they are about to expire. Only requests with expired tokens wait for it. */
    @Override
    public void whenReady(Exchange exchange, Runnable then) {
        String id = exchange.request().headers().contains(HttpHeaders.AUTHORIZATION) ? null : id(exchange);
        Session session = id == null ? null : session(RandomTexts.digest(id), exchange.nowMs());
        long nowMs = exchange.nowMs();
        if (id == null || session == null || session.login() == null || nowMs < session.renewAtMs()) {
            then.run();
            return;
        }
        CompletableFuture<Void> renewal = renewal(RandomTexts.digest(id), session, session.login(), exchange);
        if (!session.hasExpiredTokens(nowMs)) {
            then.run();
            return;
        }
        exchange.request().pause(); // its body would arrive before a handler could take it
        renewal.whenCompleteAsync(
                (done, never) -> {
                    then.run();
                    exchange.request().resume();
                },
                exchange.executor());
    }

    /** Starts a renewal, unless one is in progress. It completes after a bounded time, never with a failure. */
    private CompletableFuture<Void> renewal(String digest, Session session, Login login, Exchange exchange) {
        CompletableFuture<Void> started = new CompletableFuture<>();
        synchronized (renewals) {
            CompletableFuture<Void> running = renewals.putIfAbsent(digest, started);
            if (running != null) {
                return running;
            }
        }
        boolean current;
        synchronized (sessions) {
            current = sessions.get(digest) == session;
        }
        if (!current) { // another renewal has just ended; a refresh token must not be used twice
            synchronized (renewals) {
                renewals.remove(digest);
            }
            started.complete(null);
            return started;
        }
        provider.renew(login, exchange.nowMs()).whenComplete((renewed, failure) -> {
            replace(digest, session, renewed, failure, exchange.nowMs());
            synchronized (renewals) {
                renewals.remove(digest);
            }
            started.complete(null);
        });
        return started;
    }

    /** Puts new tokens into a session. A session that has ended meanwhile stays ended. */
    private void replace(
            String digest, Session session, @Nullable Login renewed, @Nullable Throwable failure, long nowMs) {
        Session next = null;
        if (renewed != null) {
            try {
                next = session.with(
                        renewed,
                        UserPlace.of(renewed.identity(), session.credential().namespace(), List.of()),
                        nowMs);
            } catch (LoginException withoutRole) {
                // The user has lost the role, so the session ends.
            }
        } else if (session.login() != null) {
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            boolean ended = cause instanceof LoginException refused
                    && (refused.reason() == LoginException.Reason.INVALID
                            || refused.reason() == LoginException.Reason.DENIED);
            next = ended
                    ? session.with(new Login(session.login().identity(), null), Long.MAX_VALUE)
                    : session.with(session.login(), nowMs + RENEWED_AGAIN_MS);
        }
        synchronized (sessions) {
            if (next == null) {
                sessions.remove(digest, session);
            } else {
                sessions.replace(digest, session, next);
            }
        }
    }

    /**
     * The name contains the port, because the cookies of a host are common to its ports, where several servers may run.
     */
    static String name(String prefix, Exchange exchange) {
        String authority = exchange.authority();
        int colon = authority.lastIndexOf(':');
        String port = colon < authority.lastIndexOf(']') || colon < 0 ? "" : "-" + authority.substring(colon + 1);
        return prefix + port;
    }

    private static Cookie cookie(Exchange exchange, String value, boolean secure) {
        return Cookie.cookie(name("jitney-console", exchange), value)
                .setPath("/")
                .setHttpOnly(true)
                .setSecure(secure)
                .setSameSite(CookieSameSite.STRICT);
    }

    private static @Nullable String id(Exchange exchange) {
        Cookie cookie = exchange.request().getCookie(name("jitney-console", exchange));
        String value = cookie == null ? null : cookie.getValue();
        return value == null || value.length() != RandomTexts.CHARACTERS ? null : value;
    }
}
