package dev.jitney.runtime.security;

import java.net.URI;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The port for the login of people with an identity provider: the authorization code flow of OpenID Connect with PKCE (RFC 7636). The caller
 * keeps state, nonce and verifier, and the tokens never leave the server. Any thread may call it, also an event loop: no method blocks. All
 * stages complete within a bounded time, on a thread of the provider, and fail with a {@link LoginException}.
 */
public interface LoginProvider {
    /** No login with an identity provider. */
    LoginProvider NONE = new LoginProvider() {
        @Override
        public boolean isConfigured() {
            return false;
        }

        @Override
        public String name() {
            return "";
        }

        @Override
        public URI consoleUrl() {
            return URI.create("http://localhost");
        }

        @Override
        public CompletionStage<URI> start(String state, String nonce, String challenge) {
            return refused();
        }

        @Override
        public CompletionStage<Login> redeem(Answer answer, String nonce, String verifier, long nowMs) {
            return refused();
        }

        @Override
        public CompletionStage<Login> renew(Login login, long nowMs) {
            return refused();
        }

        @Override
        public CompletionStage<Optional<URI>> endOfSession() {
            return CompletableFuture.completedFuture(Optional.empty());
        }

        private static <T> CompletionStage<T> refused() {
            return CompletableFuture.failedFuture(new LoginException(
                    LoginException.Reason.PROVIDER, "This server has no login with an identity provider."));
        }
    };

    /**
     * The parameters with which the provider sends the browser back (RFC 6749, section 4.1.2, and RFC 9207).
     *
     * @param code   the code, or null in an error
     * @param error  the error, or null
     * @param issuer the parameter {@code iss}, or null if there is none
     */
    record Answer(
            @Nullable String code,
            @Nullable String error,
            @Nullable String issuer) {
        @Override
        public String toString() {
            return "Answer"; // codes never reach a log
        }
    }

    /**
     * A login that has succeeded.
     *
     * @param identity     the user, with the expiry of the tokens
     * @param refreshToken renews the login, or null if the provider gave none
     */
    record Login(Identity identity, @Nullable String refreshToken) {
        @Override
        public String toString() {
            return "Login[" + identity.holder() + "]"; // tokens never reach a log
        }
    }

    /** Returns whether the server has such a login. */
    boolean isConfigured();

    /** Returns the name of the provider for people. */
    String name();

    /** Returns the address of the server as browsers use it: scheme, host and port, without a path. */
    URI consoleUrl();

    /**
     * Returns the address to which the browser goes to log in.
     *
     * @param state     a random text that comes back with the answer
     * @param nonce     a random text that the ID token must have
     * @param challenge the SHA-256 of the verifier in base64url (RFC 7636, section 4.2)
     */
    CompletionStage<URI> start(String state, String nonce, String challenge);

    /**
     * Exchanges the code of an answer for tokens, and verifies them.
     *
     * @param answer   what the browser brought, whose state the caller has checked
     * @param verifier the secret behind the challenge
     */
    CompletionStage<Login> redeem(Answer answer, String nonce, String verifier, long nowMs);

    /** Renews a login with its refresh token. The user must be the same, the roles may have changed. */
    CompletionStage<Login> renew(Login login, long nowMs);

    /** Returns the address that ends the session at the provider and leads back to the console, empty if the provider has none. */
    CompletionStage<Optional<URI>> endOfSession();
}
