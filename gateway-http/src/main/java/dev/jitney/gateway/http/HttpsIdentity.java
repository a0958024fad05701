package dev.jitney.gateway.http;

import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;

/**
 * A certificate chain and its key.
 *
 * @param key private key of the first certificate
 * @param chain the server's certificate first, then the certificates of its issuers
 */
public record HttpsIdentity(PrivateKey key, List<X509Certificate> chain) {

    public HttpsIdentity {
        chain = List.copyOf(chain);
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("Expected at least one certificate, but got none.");
        }
    }

    String keyPem() {
        return pem("PRIVATE KEY", key.getEncoded());
    }

    String chainPem() {
        StringBuilder out = new StringBuilder();
        for (X509Certificate certificate : chain) {
            try {
                out.append(pem("CERTIFICATE", certificate.getEncoded()));
            } catch (CertificateEncodingException e) {
                throw new IllegalArgumentException("Expected a certificate with a valid encoding.", e);
            }
        }
        return out.toString();
    }

    private static String pem(String type, byte[] der) {
        String base64 = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(der);
        return "-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n";
    }

    @Override
    public String toString() {
        // Without the key, which must not reach a log.
        return "HttpsIdentity[" + chain.get(0).getSubjectX500Principal() + "]";
    }
}
