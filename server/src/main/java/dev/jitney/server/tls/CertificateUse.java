package dev.jitney.server.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * The uses that a certificate permits (extended key usage, RFC 5280, 4.2.1.12). In a cluster they distinguish nodes from operators:
 * a node also answers connections, an operator only makes them.
 */
final class CertificateUse {
    private static final String SERVER = "1.3.6.1.5.5.7.3.1";
    private static final String CLIENT = "1.3.6.1.5.5.7.3.2";
    private static final String ANY = "2.5.29.37.0";

    private CertificateUse() {}

    /** Returns whether a certificate of the authority is that of a node. */
    static boolean isNode(X509Certificate certificate) {
        return permits(certificate, SERVER);
    }

    static boolean isClient(X509Certificate certificate) {
        return permits(certificate, CLIENT);
    }

    private static boolean permits(X509Certificate certificate, String use) {
        try {
            List<String> uses = certificate.getExtendedKeyUsage();
            return uses == null || uses.contains(use) || uses.contains(ANY);
        } catch (CertificateParsingException e) {
            return false;
        }
    }
}
