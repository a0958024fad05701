package dev.jitney.server.tls;

import dev.jitney.cluster.ratis.ClusterTls;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The TLS of a node or an operator of a cluster: versions 1.2 and 1.3, a certificate on both sides, and host names that are
 * checked. Any thread may call it.
 */
public final class ClusterIdentity {
    /** The versions of TLS. */
    public static final List<String> VERSIONS = List.of("TLSv1.3", "TLSv1.2");

    /** The algorithm that compares the certificate of a server with its host. */
    public static final String CHECK_HOST = "HTTPS";

    /** The time for which a session may replace a handshake, and with it the check of a certificate, in seconds. */
    public static final int SESSION_SECONDS = 3_600;

    private volatile List<X509Certificate> chain;
    private final SwappedKeys keys;
    private final SwappedTrust trust;
    private final SSLContext sockets;

    /** The holder of the certificate at the other end of a connection. */
    public enum Peer {
        /** A program that has shown no certificate. */
        STRANGER,
        /** A program with a certificate of the authority that is not that of a node. */
        OPERATOR,
        /** A node. */
        NODE
    }

    private ClusterIdentity(List<X509Certificate> chain, X509ExtendedKeyManager keys, X509ExtendedTrustManager trust)
            throws GeneralSecurityException {
        this.chain = chain;
        this.keys = new SwappedKeys(keys);
        this.trust = new SwappedTrust(trust);
        sockets = SSLContext.getInstance("TLS");
        sockets.init(new KeyManager[] {this.keys}, new TrustManager[] {this.trust}, new SecureRandom());
        sockets.getClientSessionContext().setSessionTimeout(SESSION_SECONDS);
    }

    static ClusterIdentity of(ServerIdentity own, List<X509Certificate> authorities) throws TlsException {
        char[] noPassword = {};
        try {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(null, null);
            keys.setKeyEntry("own", own.key(), noPassword, own.chain().toArray(new Certificate[0]));
            KeyManagerFactory keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keyManagers.init(keys, noPassword);
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            for (int i = 0; i < authorities.size(); i++) {
                trusted.setCertificateEntry("authority-" + i, authorities.get(i));
            }
            TrustManagerFactory trustManagers =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trustManagers.init(trusted);
            return new ClusterIdentity(
                    own.chain(), (X509ExtendedKeyManager) keyManagers.getKeyManagers()[0], (X509ExtendedTrustManager)
                            trustManagers.getTrustManagers()[0]);
        } catch (GeneralSecurityException | IOException e) {
            throw new TlsException("The certificate, its key and the authority cannot be used: " + e.getMessage(), e);
        }
    }

    /**
     * Replaces the certificates of this identity by those of another one, for all handshakes that begin later. Open connections
     * continue. The objects that this identity has returned stay in use.
     */
    public void replaceBy(ClusterIdentity next) {
        trust.use(next.trust.inner()); // first, because the new certificate may be of a new authority
        keys.use(next.keys.inner());
        chain = next.chain;
    }

    void requireOwnAuthority() throws CertificateException {
        trust.checkClientTrusted(
                chain.toArray(new X509Certificate[0]),
                certificate().getPublicKey().getAlgorithm());
    }

    X509Certificate certificate() {
        return chain.get(0);
    }

    /** Compares the certificates of the node and of its authorities. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ClusterIdentity identity
                && chain.equals(identity.chain)
                && issuers().equals(identity.issuers());
    }

    private Set<X509Certificate> issuers() {
        return new HashSet<>(Arrays.asList(trust.getAcceptedIssuers()));
    }

    @Override
    public int hashCode() {
        return chain.hashCode();
    }

    @Override
    public String toString() {
        return "The certificate of " + certificate().getSubjectX500Principal();
    }

    /** Returns when the own certificate or one of its issuers expires, whichever is first. */
    public Instant expiry() {
        return chain.stream()
                .map(each -> each.getNotAfter().toInstant())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** Returns the certificates for the connections between Ratis servers. */
    public ClusterTls raft() {
        return new ClusterTls(keys, new MembersTrust(trust));
    }

    /** Returns the settings of a client with blocking sockets. */
    public SSLContext sockets() {
        return sockets;
    }

    /** Returns the own certificate and its key, for both sides of a connection. */
    public X509ExtendedKeyManager keys() {
        return keys;
    }

    /** Returns the rule that accepts all certificates of the authority. */
    public X509ExtendedTrustManager authority() {
        return trust;
    }

    /** Returns the holder of the certificate at the other end of a connection to the node port, after the handshake. */
    public static Peer peer(SSLSession session) {
        try {
            return session.getPeerCertificates()[0] instanceof X509Certificate shown && CertificateUse.isNode(shown)
                    ? Peer.NODE
                    : Peer.OPERATOR;
        } catch (SSLPeerUnverifiedException e) {
            return Peer.STRANGER;
        }
    }
}
