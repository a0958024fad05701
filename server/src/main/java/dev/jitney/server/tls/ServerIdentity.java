package dev.jitney.server.tls;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A certificate chain and its key.
 *
 * @param key private key of the first certificate
 * @param chain the server's certificate first, then the certificates of its issuers
 */
public record ServerIdentity(PrivateKey key, List<X509Certificate> chain) {

    public ServerIdentity {
        chain = List.copyOf(chain);
    }

    @Override
    public String toString() {
        // Without the key, which must not reach a log.
        return "The certificate of " + chain.get(0).getSubjectX500Principal() + " until "
                + chain.get(0).getNotAfter().toInstant();
    }
}
