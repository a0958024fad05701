package dev.jitney.gateway.http.exchange;

import dev.jitney.runtime.Namespace;
import org.jspecify.annotations.Nullable;

/** The sessions of browsers. Their cookies replace the {@code Authorization} header on the paths that permit it. */
@FunctionalInterface
public interface BrowserSessions {
    /**
     * A credential of a session. It still has to be checked, because the key may have changed since the login.
     *
     * @param token a shared access signature
     * @param namespace the namespace of the session
     */
    record Credential(String token, Namespace namespace) {
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
}
