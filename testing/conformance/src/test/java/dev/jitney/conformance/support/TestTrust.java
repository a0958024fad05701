package dev.jitney.conformance.support;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A setting that makes this process trust the certificate of one server, for SDKs without an option for trusted
 * certificates.
 */
public final class TestTrust implements AutoCloseable {
    private final SSLContext before;

    private TestTrust(SSLContext before) {
        this.before = before;
    }

    /** Sets the trust store, as an application does with {@code -Djavax.net.ssl.trustStore}. */
    public static TestTrust in(Path truststore) throws IOException {
        try (InputStream in = Files.newInputStream(truststore)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, "changeit".toCharArray());
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(keys);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            TestTrust given = new TestTrust(SSLContext.getDefault());
            SSLContext.setDefault(context);
            return given;
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() {
        SSLContext.setDefault(before);
    }
}
