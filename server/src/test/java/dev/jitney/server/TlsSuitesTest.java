package dev.jitney.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.runtime.security.TlsSuites;
import dev.jitney.server.tls.Tls;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The TLS listeners with clients that offer only one suite. */
class TlsSuitesTest {
    @TempDir
    Path directory;

    private SSLContext trusting() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (InputStream in = Files.newInputStream(directory.resolve("data/tls/ca.pem"))) {
            store.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private static String suite(SSLContext context, int port, String protocol, String offered) throws Exception {
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("localhost", port)) {
            socket.setSoTimeout(30_000);
            socket.setEnabledProtocols(new String[] {protocol});
            socket.setEnabledCipherSuites(new String[] {offered});
            socket.startHandshake();
            return socket.getSession().getCipherSuite();
        }
    }

    private JitneyServer start() throws Exception {
        return JitneyServer.builder()
                .dataDir(directory.resolve("data"))
                .amqpPort(0)
                .httpPort(0)
                .amqpsPort(0)
                .httpsPort(0)
                .tls(Tls.auto())
                .build()
                .start();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384",
                "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
                "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
                "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
            })
    @DisplayName("A client that offers only a CBC suite is refused, over AMQPS and over HTTPS")
    void refusesCbc(String offered) throws Exception {
        try (JitneyServer server = start()) {
            SSLContext context = trusting();
            for (Integer port : new Integer[] {server.amqpsPort(), server.httpsPort()}) {
                assertThatThrownBy(() -> suite(context, port, "TLSv1.2", offered))
                        .as("port %d", port)
                        .isInstanceOf(SSLHandshakeException.class)
                        .hasMessageContaining("handshake_failure");
            }
        }
    }

    @Test
    @DisplayName("Suites of TLS 1.2 and 1.3 with authenticated encryption are accepted, over AMQPS and over HTTPS")
    void acceptsTheOthers() throws Exception {
        try (JitneyServer server = start()) {
            SSLContext context = trusting();
            for (String offered : TlsSuites.accepted()) {
                if (offered.contains("_RSA_")) {
                    continue; // the server's own certificate has another kind of key
                }
                String protocol = offered.contains("_WITH_") ? "TLSv1.2" : "TLSv1.3";
                assertThat(suite(context, server.amqpsPort(), protocol, offered))
                        .isEqualTo(offered);
                assertThat(suite(context, server.httpsPort(), protocol, offered))
                        .isEqualTo(offered);
            }
        }
    }
}
