package dev.jitney.server.tls;

import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Locale;

/**
 * The certificate of a node or an operator of a cluster, and the authority of the cluster: the value of the option
 * {@code --cluster-tls} (CL-70).
 *
 * @param certificates PEM file with the certificate, followed by the certificates of its issuers if there are any
 * @param key          PEM file with its key
 * @param authority    PEM file with the certificate of the authority; with several of them while one replaces another
 */
public record ClusterCertificates(Path certificates, Path key, Path authority) {
    /** The name of the option. */
    public static final String OPTION = "--cluster-tls";

    private static final int FILES = 3;
    private static final String MAKE = "Make certificates with: jitney cluster certificates";

    /**
     * Parses the option's text.
     *
     * @throws IllegalArgumentException if it is not three file names; its message is for the user
     */
    public static ClusterCertificates parse(String text) {
        String[] files = text.split(",", -1);
        for (String file : files) {
            if (file.isBlank() || files.length != FILES) {
                throw new IllegalArgumentException(
                        "Expected three PEM files as CERT,KEY,CA, but got '" + text + "'. " + MAKE + ".");
            }
        }
        return new ClusterCertificates(Path.of(files[0].strip()), Path.of(files[1].strip()), Path.of(files[2].strip()));
    }

    /**
     * Reads the files for a node, and checks them.
     *
     * @param host  the host of the node, as the other nodes connect to it
     * @param nowMs the time for checking validity, in milliseconds since the epoch
     * @throws TlsException if other nodes would refuse the certificate, or the files cannot be used
     */
    public ClusterIdentity ofNode(String host, long nowMs) throws TlsException {
        ClusterIdentity identity = ofOperator(nowMs);
        X509Certificate own = identity.certificate();
        if (!CertificateUse.isNode(own) || !CertificateUse.isClient(own)) {
            throw new TlsException(
                    certificates + ": Expected a certificate for both sides of a connection (extended key"
                            + " usage serverAuth and clientAuth), but this one is for one side only. Use the certificate of"
                            + " the node, not that of an operator. " + MAKE + ".");
        }
        try {
            if (!CertificateNames.of(own).hasHost(host.toLowerCase(Locale.ROOT))) {
                throw new TlsException(certificates + ": Expected a certificate for the host " + host
                        + " of this node in --cluster-nodes, but it is for "
                        + CertificateNames.of(own).text()
                        + ". " + MAKE + ".");
            }
        } catch (CertificateException e) {
            throw new TlsException(certificates + ": Cannot read the names in the certificate: " + e.getMessage(), e);
        }
        return identity;
    }

    /**
     * Reads the files for a program that only connects to nodes, and checks them.
     *
     * @param nowMs the time for checking validity, in milliseconds since the epoch
     * @throws TlsException if nodes would refuse the certificate, or the files cannot be used
     */
    public ClusterIdentity ofOperator(long nowMs) throws TlsException {
        ServerIdentity own = PemFiles.identity(certificates, key, nowMs);
        List<X509Certificate> authorities = PemFiles.certificates(authority);
        Date now = Date.from(Instant.ofEpochMilli(nowMs));
        for (X509Certificate each : authorities) {
            if (now.after(each.getNotAfter())) {
                throw new TlsException(authority + ": The certificate of the authority expired on "
                        + each.getNotAfter().toInstant() + ". Make a new authority in another directory, and"
                        + " certificates for all nodes: jitney cluster certificates");
            }
        }
        ClusterIdentity identity = ClusterIdentity.of(own, authorities);
        try {
            identity.requireOwnAuthority();
        } catch (CertificateException e) {
            throw new TlsException(
                    certificates + ": Expected a certificate that the authority in " + authority
                            + " has signed, but it is of another one (" + e.getMessage() + "). Use the files of one"
                            + " directory. " + MAKE + ".",
                    e);
        }
        return identity;
    }

    /**
     * Returns the files of a node, which are read again when they change.
     *
     * @param first the certificates in use, which those of changed files replace
     */
    public Watched<ClusterIdentity> watched(ClusterIdentity first, String host, long nowMs) {
        return new Watched<>(
                OPTION + " " + this,
                List.of(certificates, key, authority),
                readAtMs -> ofNode(host, readAtMs),
                first::replaceBy,
                first,
                nowMs);
    }

    @Override
    public String toString() {
        return certificates + "," + key + "," + authority;
    }
}
