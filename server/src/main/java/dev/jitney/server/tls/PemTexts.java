package dev.jitney.server.tls;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;

/** Certificates and keys as the bytes of PEM files. */
final class PemTexts {
    private PemTexts() {}

    /** Returns a key in PKCS#8, without a password. */
    static byte[] key(PrivateKey key) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(new JcaPKCS8Generator(key, null));
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] certificates(List<X509Certificate> certificates) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            for (X509Certificate certificate : certificates) {
                writer.writeObject(certificate);
            }
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }
}
