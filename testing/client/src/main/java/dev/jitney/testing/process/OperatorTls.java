package dev.jitney.testing.process;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The certificate of operators that {@code jitney cluster certificates} has made, for requests to nodes. */
final class OperatorTls {
    static final String NAME = "operator";

    private final SSLContext context;

    private OperatorTls(SSLContext context) {
        this.context = context;
    }

    /** Returns the value of the option {@code --cluster-tls}. */
    static String option(Path files, String name) {
        return files.resolve(name + ".pem") + "," + files.resolve(name + "-key.pem") + "," + files.resolve("ca.pem");
    }

    static OperatorTls read(Path files) throws IOException {
        char[] noPassword = {};
        try {
            KeyStore own = KeyStore.getInstance("PKCS12");
            own.load(null, null);
            own.setKeyEntry(NAME, key(files.resolve(NAME + "-key.pem")), noPassword, new Certificate[] {
                certificate(files.resolve(NAME + ".pem"))
            });
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("ca", certificate(files.resolve("ca.pem")));
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(own, noPassword);
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return new OperatorTls(context);
        } catch (GeneralSecurityException e) {
            throw new IOException("Expected the certificate of operators in " + files + ".", e);
        }
    }

    private static Certificate certificate(Path file) throws IOException, GeneralSecurityException {
        try (InputStream in = new ByteArrayInputStream(Files.readAllBytes(file))) {
            return CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private static PrivateKey key(Path file) throws IOException, GeneralSecurityException {
        String text = Files.readString(file).replaceAll("-----[A-Z ]+-----|\\s", "");
        return KeyFactory.getInstance("EC")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(text)));
    }

    void use(HttpURLConnection connection) {
        ((HttpsURLConnection) connection).setSSLSocketFactory(context.getSocketFactory());
    }
}
