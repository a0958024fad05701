package dev.jitney.runtime.security;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The port for an identity provider, whose tokens the gateways accept in addition to shared access signatures. Any
 * thread may call it, also an event loop: no method blocks.
 */
public interface IdentityProvider {
    /** The limit of a token in characters. Tokens with 200 groups are shorter. */
    int TOKEN_CHARACTERS_MAX = 16 * 1024;

    /** No identity provider: every token is refused. */
    IdentityProvider NONE = new IdentityProvider() {
        @Override
        public boolean isConfigured() {
            return false;
        }

        @Override
        public CompletionStage<Identity> verify(String token, long nowMs) {
            return CompletableFuture.failedFuture(AuthenticationException.noIdentityProvider());
        }

        @Override
        public long version() {
            return 0;
        }

        @Override
        public boolean trusts(Identity identity) {
            return false;
        }

        @Override
        public List<Permission> permissionsOf(Collection<String> roles) {
            return List.of();
        }
    };

    /** Returns whether the server has an identity provider. */
    boolean isConfigured();

    /**
     * Verifies a token. It completes at once if the key of the token is known, otherwise when the keys have been
     * fetched, after a bounded time, on a thread of the provider.
     *
     * @param token the token as received, without the word {@code Bearer}
     * @param nowMs the current time in milliseconds since the epoch
     * @return fails with an {@link AuthenticationException} if the token is not valid, or cannot be verified now
     */
    CompletionStage<Identity> verify(String token, long nowMs);

    /** Returns the login of people in a browser with this provider. */
    default LoginProvider login() {
        return LoginProvider.NONE;
    }

    /** Returns a number that changes when the provider withdraws a key, so that grants need another check. */
    long version();

    /** Returns whether the key that signed the identity's token is still accepted. */
    boolean trusts(Identity identity);

    /** Returns what roles permit now. Unknown roles permit nothing. */
    List<Permission> permissionsOf(Collection<String> roles);
}
