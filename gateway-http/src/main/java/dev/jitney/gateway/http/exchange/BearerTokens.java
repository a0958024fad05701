package dev.jitney.gateway.http.exchange;

import dev.jitney.runtime.Broker;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.security.AuthenticationException;
import dev.jitney.runtime.security.Identity;
import dev.jitney.runtime.security.IdentityProvider;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of an identity provider in one request. They are verified before any handler runs, because the keys of the
 * provider may have to be fetched first. For the event loop of the exchange.
 */
final class BearerTokens {
    private static final String SCHEME = "Bearer ";

    /** A token without a scheme, as clients send it in the supplementary headers, and the older Java client also in the other. */
    private static final Pattern BARE = Pattern.compile("ey[\\w-]+\\.[\\w-]+\\.[\\w-]*");

    private static final List<CharSequence> HEADERS = List.of(HttpHeaders.AUTHORIZATION);

    /** The headers of a request that creates or changes an entity (HTTP reference 1.7). */
    private static final List<CharSequence> HEADERS_OF_PUT = List.of(
            HttpHeaders.AUTHORIZATION,
            "ServiceBusSupplementaryAuthorization",
            "ServiceBusDlqSupplementaryAuthorization");

    private final IdentityProvider provider;
    private final Map<String, Identity> identities = new HashMap<>(1);
    private final Map<String, AuthenticationException> refusals = new HashMap<>(1);

    BearerTokens(IdentityProvider provider) {
        this.provider = provider;
    }

    IdentityProvider provider() {
        return provider;
    }

    /** Returns the token of an identity provider in a credential, or null if it is of another kind. */
    static @Nullable String in(@Nullable String credential) {
        if (credential == null) {
            return null;
        }
        String text = credential.strip();
        if (text.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return text.substring(SCHEME.length()).strip();
        }
        boolean bare = text.startsWith("ey") && text.length() <= IdentityProvider.TOKEN_CHARACTERS_MAX;
        return bare && BARE.matcher(text).matches() ? text : null;
    }

    /**
     * Verifies the tokens of a request.
     *
     * @param tokens   at least one of {@link #in(HttpServerRequest)}
     * @param executor runs a task on the event loop of the exchange
     * @param then     continues with the request: at once if all keys are known
     */
    void verify(Set<String> tokens, HttpServerRequest request, long nowMs, Executor executor, Runnable then) {
        Map<String, CompletableFuture<Identity>> pending = new HashMap<>(1);
        for (String token : tokens) {
            pending.put(token, provider.verify(token, nowMs).toCompletableFuture());
        }
        if (pending.values().stream().allMatch(CompletableFuture::isDone)) {
            pending.forEach(this::settle);
            then.run();
            return;
        }
        request.pause(); // its body would arrive before a handler could take it
        CompletableFuture.allOf(pending.values().toArray(new CompletableFuture<?>[0]))
                .whenCompleteAsync(
                        (all, failure) -> {
                            pending.forEach(this::settle);
                            then.run();
                            request.resume();
                        },
                        executor);
    }

    /** Returns the number of tokens of the request whose signature or issuer is wrong. */
    int forged() {
        return (int) refusals.values().stream()
                .filter(AuthenticationException::isWrongKey)
                .count();
    }

    /** Refuses tokens of a request, in place of {@link #verify}. */
    void refuse(Set<String> tokens, AuthenticationException refusal) {
        tokens.forEach(token -> refusals.put(token, refusal));
    }

    /** Returns the tokens of a request; none without an identity provider. */
    Set<String> in(HttpServerRequest request) {
        Set<String> tokens = new HashSet<>(1);
        if (provider.isConfigured()) {
            for (CharSequence header : request.method() == HttpMethod.PUT ? HEADERS_OF_PUT : HEADERS) {
                String token = in(request.getHeader(header));
                if (token != null) {
                    tokens.add(token);
                }
            }
        }
        return tokens;
    }

    private void settle(String token, CompletableFuture<Identity> verified) {
        try {
            identities.put(token, verified.join());
        } catch (CompletionException failed) {
            refusals.put(
                    token,
                    failed.getCause() instanceof AuthenticationException refused
                            ? refused
                            : AuthenticationException.of(
                                    AuthenticationException.Reason.UNAVAILABLE,
                                    "The token could not be verified because of an internal error. Try again."));
        }
    }

    /**
     * Returns the owner of a token of the request.
     *
     * @throws AuthenticationException if the token is not valid, or the server has no identity provider
     */
    Identity identity(String token) throws AuthenticationException {
        Identity identity = identities.get(token);
        if (identity != null) {
            return identity;
        }
        AuthenticationException refused = refusals.get(token);
        throw refused != null ? refused : AuthenticationException.noIdentityProvider();
    }

    /**
     * Returns the namespace of a request that names none: the only one in which the identity has permissions, otherwise
     * the first one.
     *
     * @return null if the credential is no valid token of an identity provider
     */
    @Nullable
    Namespace namespace(@Nullable String credential, Broker broker) {
        String token = in(credential);
        Identity identity = token == null ? null : identities.get(token);
        if (identity == null) {
            return null;
        }
        Namespace only = broker.namespaceNamed(identity.onlyNamespace());
        return only == null ? broker.namespaces().get(0) : only;
    }
}
