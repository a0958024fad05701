package dev.jitney.gateway.http.exchange;

import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.security.Identity;
import org.jspecify.annotations.Nullable;

/** The sessions of browsers. Their cookies replace the {@code Authorization} header on the paths that permit it. */
public interface BrowserSessions {
    /**
     * A credential of a session: a token, or an identity. It still has to be checked, because the key may have changed since the login.
     *
     * @param token a shared access signature, or null for an identity
     * @param identity a user of the identity provider, or null for a token
     * @param namespace the namespace of the session
     */
    record Credential(@Nullable String token, @Nullable Identity identity, Namespace namespace) {
        @Override
        public String toString() {
            return "Credential[" + namespace.name() + "]"; // tokens never reach a log
        }
    }

    /**
     * Returns the credential of the session that the cookie of a request names.
     *
     * @return null if the request has no cookie of a session
     * @throws RefusedException with 401 if the session has ended, with 403 if another site may have caused the request
     */
    @Nullable
    Credential credential(Exchange exchange) throws RefusedException;

    /**
     * Continues with a request when the session that its cookie names is ready: at once, or after a bounded time if its login has to be
     * renewed. For the event loop of the exchange.
     */
    default void whenReady(Exchange exchange, Runnable then) {
        then.run();
    }
}
