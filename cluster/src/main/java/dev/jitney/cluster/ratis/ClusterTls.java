package dev.jitney.cluster.ratis;

import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * The certificate of this node and the rule for the certificates of the others (CL-70). Both objects are read for each connection,
 * so they may return other certificates later.
 *
 * @param keys    has the certificate of this node and its key, for both sides of a connection
 * @param members accepts the certificates of nodes of this cluster, and nothing else: what it accepts may append, vote and read
 */
public record ClusterTls(X509ExtendedKeyManager keys, X509ExtendedTrustManager members) {
    @Override
    public String toString() {
        return "ClusterTls"; // without keys, which must not reach a log
    }
}
