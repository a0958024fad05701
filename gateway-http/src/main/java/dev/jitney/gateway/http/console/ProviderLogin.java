package dev.jitney.gateway.http.console;

import dev.jitney.gateway.http.console.PendingLogins.Pending;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.ExchangeHandler;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.audit.Audit;
import dev.jitney.runtime.audit.AuditedAction;
import dev.jitney.runtime.security.LoginException;
import dev.jitney.runtime.security.LoginException.Reason;
import dev.jitney.runtime.security.LoginProvider;
import dev.jitney.runtime.security.LoginProvider.Answer;
import dev.jitney.runtime.security.LoginProvider.Login;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The login with the identity provider: the browser goes to the provider, and comes back with a code, which this server exchanges for
 * tokens. The tokens stay here, and the browser gets a session. For event loops; no method blocks.
 *
 * <p>The address to which the browser comes back, and the place that it opens then, never depend on a request. A state belongs to the cookie
 * of one browser and works once, so a page of another site cannot log a browser in as another user.
 */
final class ProviderLogin implements ExchangeHandler {
    /** The path that begins a login. */
    static final String START = "/console/login/oidc";

    /** The path to which the provider sends the browser back. */
    static final String CALLBACK = START + "/callback";

    private static final Logger LOG = LoggerFactory.getLogger(ProviderLogin.class);

    private static final String HOME = "/console/";
    private static final int CODE_CHARACTERS_MAX = 4_096;
    private static final int ERROR_CHARACTERS_MAX = 256;
    private static final int ISSUER_CHARACTERS_MAX = 2_048;

    private final LoginProvider provider;
    private final Broker broker;
    private final ConsoleSessions sessions;
    private final PendingLogins pending = new PendingLogins();
    private final LoginAttempts strays = new LoginAttempts();

    ProviderLogin(LoginProvider provider, Broker broker, ConsoleSessions sessions) {
        this.provider = provider;
        this.broker = broker;
        this.sessions = sessions;
    }

    /** Returns whether a path belongs to it. */
    boolean serves(String path) {
        return provider.isConfigured() && (path.equals(START) || path.equals(CALLBACK));
    }

    @Override
    public void handle(Exchange exchange) throws RefusedException {
        if (exchange.request().method() != HttpMethod.GET) {
            exchange.response().putHeader(HttpHeaders.ALLOW, "GET");
            throw new RefusedException(
                    HttpError.methodNotAllowed(exchange.request().method().name()));
        }
        if (exchange.path().equals(CALLBACK)) {
            finish(exchange);
        } else {
            start(exchange);
        }
    }

    private void start(Exchange exchange) throws RefusedException {
        RequestOrigin.check(exchange);
        if (!exchange.authority()
                .toLowerCase(Locale.ROOT)
                .equals(provider.consoleUrl().getRawAuthority())) {
            // The cookie of the login would belong to another host than the one to which the browser comes back.
            redirect(exchange, provider.consoleUrl() + HOME);
            return;
        }
        String state = RandomTexts.fresh();
        String nonce = RandomTexts.fresh();
        String verifier = RandomTexts.fresh();
        String browser = RandomTexts.fresh();
        Pending login = new Pending(
                RandomTexts.digest(browser),
                nonce,
                verifier,
                exchange.target().query("namespace"),
                LoginAttempts.network(LoginHandler.address(exchange)),
                exchange.nowMs());
        if (!pending.add(state, login)) {
            fail(exchange, new LoginException(Reason.BUSY, "Too many logins have begun and not ended."), null);
            return;
        }
        provider.start(state, nonce, RandomTexts.digest(verifier))
                .whenCompleteAsync(
                        (address, failure) -> exchange.guarded(() -> {
                            if (failure == null) {
                                exchange.response()
                                        .addCookie(cookie(exchange, browser).setMaxAge(PendingLogins.LIFE_MS / 1_000));
                                redirect(exchange, address.toASCIIString());
                            } else {
                                pending.take(state, login.browser(), exchange.nowMs());
                                fail(exchange, refusal(failure), null);
                            }
                        }),
                        exchange.executor());
    }

    private void finish(Exchange exchange) throws RefusedException {
        String state = exchange.target().query("state");
        Cookie cookie = exchange.request().getCookie(name(exchange));
        String browser = cookie == null ? null : cookie.getValue();
        Pending login = state == null || state.length() != RandomTexts.CHARACTERS || browser == null
                ? null
                : pending.take(state, RandomTexts.digest(browser), exchange.nowMs());
        if (login == null) {
            stray(exchange);
            return;
        }
        exchange.response().addCookie(cookie(exchange, "").setMaxAge(0));
        Answer answer = new Answer(
                bounded(exchange.target().query("code"), CODE_CHARACTERS_MAX),
                bounded(exchange.target().query("error"), ERROR_CHARACTERS_MAX),
                bounded(exchange.target().query("iss"), ISSUER_CHARACTERS_MAX));
        provider.redeem(answer, login.nonce(), login.verifier(), exchange.nowMs())
                .whenCompleteAsync(
                        (user, failure) -> exchange.guarded(() -> {
                            if (failure == null) {
                                enter(exchange, login, user);
                            } else {
                                fail(exchange, refusal(failure), exchange.namespace());
                            }
                        }),
                        exchange.executor());
    }

    /** Returns a parameter. One that is too long is replaced by a text that no provider accepts. */
    private static @Nullable String bounded(@Nullable String value, int charactersMax) {
        return value == null || value.length() <= charactersMax ? value : "(too long)";
    }

    private void enter(Exchange exchange, Pending login, Login user) {
        if (exchange.isOver()) {
            return; // the browser would not get the cookie
        }
        Namespace named = exchange.isNamespaceKnown()
                ? exchange.namespace()
                : login.namespaceName() == null ? null : exchange.namespaceNamed(login.namespaceName());
        String holder = user.identity().holder();
        try {
            UserPlace place = UserPlace.of(user.identity(), named, broker.namespaces());
            sessions.start(exchange, ConsoleSessions.of(user, place, exchange.nowMs()), isSecure());
            Audit.session(action(exchange, place.namespace(), holder));
            redirect(exchange, HOME);
        } catch (LoginException withoutRole) {
            Audit.refused(
                    action(exchange, named == null ? exchange.namespace() : named, holder), withoutRole.sentence());
            fail(exchange, withoutRole, null);
        }
    }

    /** Answers a browser that has not begun this login, or not lately. The audit trail gets some of many such answers. */
    private void stray(Exchange exchange) {
        String address = LoginHandler.address(exchange);
        LoginException refused = new LoginException(
                Reason.STATE,
                "Expected the answer to a login that this browser has begun within the last 10 minutes, but got another"
                        + " one. It may be a reload, or an attempt of another site to log the browser in.");
        boolean audited = strays.waitSeconds(address, exchange.nowMs()) == 0;
        strays.failed(address, exchange.nowMs());
        fail(exchange, refused, audited ? exchange.namespace() : null);
    }

    /**
     * Leads the browser to the login page, which explains the reason.
     *
     * @param audited the namespace whose audit trail gets an entry, or null for none
     */
    private void fail(Exchange exchange, LoginException refused, @Nullable Namespace audited) {
        if (audited != null) {
            Audit.refused(action(exchange, audited, ""), refused.sentence());
        }
        LOG.info(
                "A login of {} to the console with the identity provider failed: {}",
                exchange.client(),
                refused.sentence());
        redirect(exchange, HOME + "#/login/" + refused.reason().name().toLowerCase(Locale.ROOT));
    }

    private static LoginException refusal(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause instanceof LoginException refused
                ? refused
                : new LoginException(Reason.PROVIDER, "The login failed because of an internal error: " + cause);
    }

    private static void redirect(Exchange exchange, String address) {
        if (!exchange.isOver()) {
            exchange.response().putHeader(HttpHeaders.LOCATION, address);
            exchange.answer(302);
        }
    }

    private boolean isSecure() {
        return "https".equals(provider.consoleUrl().getScheme());
    }

    /** With TLS, the prefix keeps other hosts of the same domain from setting the cookie. */
    private String name(Exchange exchange) {
        return ConsoleSessions.name(isSecure() ? "__Host-jitney-login" : "jitney-login", exchange);
    }

    /** The browser sends the cookie although the provider causes the request: it is a navigation. */
    private Cookie cookie(Exchange exchange, String value) {
        return Cookie.cookie(name(exchange), value)
                .setPath("/")
                .setHttpOnly(true)
                .setSecure(isSecure())
                .setSameSite(CookieSameSite.LAX);
    }

    private static AuditedAction action(Exchange exchange, Namespace namespace, String holder) {
        return new AuditedAction("log in to the console", holder, exchange.client(), namespace, "", "");
    }
}
