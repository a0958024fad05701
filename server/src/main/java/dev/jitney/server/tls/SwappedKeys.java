package dev.jitney.server.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificate of a node and its key, which can be replaced. An alias names the generation that it comes from, so that a handshake
 * never combines the certificate of one generation with the key of another. Any thread may call it.
 */
final class SwappedKeys extends X509ExtendedKeyManager {
    private volatile Generation current;

    /** @param before the generation before this one, for handshakes that have begun; null for the first */
    private record Generation(
            long number,
            X509ExtendedKeyManager keys,
            @Nullable Generation before) {
        private static final String SEPARATOR = "#";

        @Nullable
        String alias(@Nullable String inner) {
            return inner == null ? null : number + SEPARATOR + inner;
        }

        String @Nullable [] aliases(String @Nullable [] inner) {
            if (inner == null) {
                return null;
            }
            String[] all = new String[inner.length];
            for (int i = 0; i < inner.length; i++) {
                all[i] = number + SEPARATOR + inner[i];
            }
            return all;
        }

        /** Returns the keys that an alias names, or null if they are not known any more. */
        @Nullable
        X509ExtendedKeyManager of(String alias) {
            if (alias.startsWith(number + SEPARATOR)) {
                return keys;
            }
            Generation earlier = before;
            return earlier != null && alias.startsWith(earlier.number + SEPARATOR) ? earlier.keys : null;
        }

        static String inner(String alias) {
            return alias.substring(alias.indexOf(SEPARATOR) + 1);
        }
    }

    SwappedKeys(X509ExtendedKeyManager first) {
        current = new Generation(0, first, null);
    }

    synchronized void use(X509ExtendedKeyManager next) {
        Generation last = current;
        current = new Generation(last.number() + 1, next, new Generation(last.number(), last.keys(), null));
    }

    X509ExtendedKeyManager inner() {
        return current.keys();
    }

    @Override
    public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
        Generation now = current;
        return now.aliases(now.keys().getClientAliases(type, issuers));
    }

    @Override
    public @Nullable String chooseClientAlias(String[] types, Principal @Nullable [] issuers, Socket socket) {
        Generation now = current;
        return now.alias(now.keys().chooseClientAlias(types, issuers, socket));
    }

    @Override
    public @Nullable String chooseEngineClientAlias(String[] types, Principal @Nullable [] issuers, SSLEngine engine) {
        Generation now = current;
        return now.alias(now.keys().chooseEngineClientAlias(types, issuers, engine));
    }

    @Override
    public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
        Generation now = current;
        return now.aliases(now.keys().getServerAliases(type, issuers));
    }

    @Override
    public @Nullable String chooseServerAlias(String type, Principal @Nullable [] issuers, Socket socket) {
        Generation now = current;
        return now.alias(now.keys().chooseServerAlias(type, issuers, socket));
    }

    @Override
    public @Nullable String chooseEngineServerAlias(String type, Principal @Nullable [] issuers, SSLEngine engine) {
        Generation now = current;
        return now.alias(now.keys().chooseEngineServerAlias(type, issuers, engine));
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        X509ExtendedKeyManager keys = current.of(alias);
        return keys == null ? null : keys.getCertificateChain(Generation.inner(alias));
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        X509ExtendedKeyManager keys = current.of(alias);
        return keys == null ? null : keys.getPrivateKey(Generation.inner(alias));
    }
}
