package dev.jitney.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Security;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlsTest {
    private static final long NOW_MS = 1_795_244_503_000L;
    private static final long DAY_MS = Duration.ofDays(1).toMillis();

    @TempDir
    Path dir;

    @Test
    @DisplayName("--tls auto creates the files that clients trust, and makes secrets private to the owner")
    void makesItsFiles() throws Exception {
        Tls.auto().identity(dir, NOW_MS);
        assertThat(dir.resolve("tls/ca.pem")).content().startsWith("-----BEGIN CERTIFICATE-----");
        for (String secret : List.of("ca-key.pem", "server-key.pem")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.resolve("tls/" + secret))))
                    .isEqualTo("rw-------");
        }
        assertThat(trustStore().getCertificate("jitney")).isNotNull();
        assertThat(Files.list(dir.resolve("tls"))).hasSize(5);
    }

    @Test
    @DisplayName("--tls auto keeps its certificates across restarts and renews the server's before it expires")
    void renews() throws Exception {
        ServerIdentity first = Tls.auto().identity(dir, NOW_MS);
        String authority = Files.readString(dir.resolve("tls/ca.pem"));
        assertThat(Tls.auto().identity(dir, NOW_MS + 300 * DAY_MS)).isEqualTo(first);
        ServerIdentity renewed = Tls.auto().identity(dir, NOW_MS + 340 * DAY_MS);
        assertThat(renewed).isNotEqualTo(first);
        assertThat(Files.readString(dir.resolve("tls/ca.pem"))).isEqualTo(authority);
        renewed.chain().get(0).verify(renewed.chain().get(1).getPublicKey());

        ServerIdentity afterTenYears = Tls.auto().identity(dir, NOW_MS + 3_640 * DAY_MS);
        assertThat(Files.readString(dir.resolve("tls/ca.pem"))).isNotEqualTo(authority);
        assertThat(trustStore().getCertificate("jitney"))
                .isEqualTo(afterTenYears.chain().get(1));
    }

    @Test
    @DisplayName("--tls auto recreates deleted files")
    void repairs() throws Exception {
        Tls.auto().identity(dir, NOW_MS);
        for (String name : List.of("server.pem", "server-key.pem", "truststore.p12", "ca-key.pem", "ca.pem")) {
            Files.delete(dir.resolve("tls/" + name));
            ServerIdentity identity = Tls.auto().identity(dir, NOW_MS);
            assertThat(dir.resolve("tls/" + name)).exists();
            identity.chain().get(0).verify(identity.chain().get(1).getPublicKey());
            assertThat(trustStore().getCertificate("jitney"))
                    .isEqualTo(identity.chain().get(1));
        }
    }

    @ParameterizedTest
    @DisplayName("A client with the trust store connects under the loopback names, and under no others")
    @ValueSource(strings = {"localhost", "127.0.0.1", "::1", "team-a.localhost", "example.com"})
    void handshakes(String host) throws Exception {
        ServerIdentity identity = Tls.auto().identity(dir, System.currentTimeMillis());
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        keys.setKeyEntry("server", identity.key(), new char[0], identity.chain().toArray(new Certificate[0]));
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, new char[0]);
        SSLContext serverContext = SSLContext.getInstance("TLS");
        serverContext.init(own.getKeyManagers(), null, null);
        SSLEngine server = serverContext.createSSLEngine();
        server.setUseClientMode(false);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trustStore());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        SSLEngine client = context.createSSLEngine(host, 5671);
        client.setUseClientMode(true);
        SSLParameters parameters = client.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        client.setSSLParameters(parameters);
        if (host.equals("example.com")) {
            assertThatThrownBy(() -> Handshake.run(client, server)).hasMessageContaining("example.com");
        } else {
            Handshake.run(client, server);
            assertThat(client.getSession().getProtocol()).isEqualTo("TLSv1.3");
        }
    }

    @Test
    @DisplayName(
            "--tls auto creates a certificate for other names with the same authority, and keeps it for the same names")
    void renewsForOtherNames() throws Exception {
        Tls hosts = Tls.parse("auto:broker.example, 10.0.0.7,fd00::1,*.wide.example");
        ServerIdentity first = hosts.identity(dir, List.of("Team-A"), NOW_MS);
        String authority = Files.readString(dir.resolve("tls/ca.pem"));
        assertThat(names(first))
                .containsExactlyInAnyOrder(
                        "localhost",
                        "*.localhost",
                        "team-a.localhost",
                        "broker.example",
                        "team-a.broker.example",
                        "*.wide.example",
                        "127.0.0.1",
                        "0:0:0:0:0:0:0:1",
                        "10.0.0.7",
                        "fd00:0:0:0:0:0:0:1");
        assertThat(hosts.identity(dir, List.of("team-a"), NOW_MS)).isEqualTo(first);
        ServerIdentity second = hosts.identity(dir, List.of("team-a", "team-b"), NOW_MS);
        assertThat(names(second)).contains("team-b.localhost", "team-b.broker.example");
        assertThat(names(Tls.auto().identity(dir, List.of("team-b"), NOW_MS)))
                .contains("team-b.localhost")
                .doesNotContain("team-a.localhost", "broker.example");
        assertThat(Files.readString(dir.resolve("tls/ca.pem"))).isEqualTo(authority);
        assertThat(hosts).hasToString("auto:broker.example,10.0.0.7,fd00::1,*.wide.example");
        for (String bad :
                List.of("auto:", "auto:a,,b", "auto:no_host", "auto:1.2.3", "auto:a b", "auto:-a", "auto:x:y")) {
            assertThatThrownBy(() -> Tls.parse(bad)).as(bad).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static List<String> names(ServerIdentity identity) throws Exception {
        return identity.chain().get(0).getSubjectAlternativeNames().stream()
                .map(name -> String.valueOf(name.get(1)))
                .toList();
    }

    @Test
    @DisplayName("--tls CERT,KEY reads PEM files")
    void readsFiles() throws Exception {
        ServerIdentity own = Tls.auto().identity(dir, NOW_MS);
        Path cert = dir.resolve("tls/server.pem");
        Path key = dir.resolve("tls/server-key.pem");
        assertThat(Tls.parse(cert + "," + key).identity(dir, NOW_MS)).isEqualTo(own);
    }

    @Test
    @DisplayName(
            "A key has the algorithm that TLS expects, even if the process has registered the provider of Bouncy Castle")
    void readsKeysBesideBouncyCastle() throws Exception {
        Tls.auto().identity(dir, NOW_MS);
        Path key = dir.resolve("tls/server-key.pem");
        PrivateKey expected = PemFiles.key(key);
        BouncyCastleProvider provider = new BouncyCastleProvider();
        Security.addProvider(provider);
        try {
            assertThat(PemFiles.key(key).getAlgorithm()).isEqualTo("EC");
            assertThat(PemFiles.key(key)).isEqualTo(expected);
        } finally {
            Security.removeProvider(provider.getName());
        }
    }

    @Test
    @DisplayName("--tls CERT,KEY names the invalid file, and the reason")
    void namesTheWrongFile() throws Exception {
        Tls.auto().identity(dir, NOW_MS);
        Path tls = dir.resolve("tls");
        Path cert = tls.resolve("server.pem");
        Path key = tls.resolve("server-key.pem");
        Path text = Files.writeString(dir.resolve("text"), "hello");
        Path binary = Files.write(dir.resolve("binary"), new byte[] {(byte) 0xff, 0, (byte) 0x80});
        Path broken = Files.writeString(
                dir.resolve("broken"), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        refused(dir.resolve("none"), key, "none: There is no such file.");
        refused(cert, dir.resolve("none"), "none: There is no such file.");
        refused(text, key, "text: Expected a PEM file with '-----BEGIN CERTIFICATE-----'");
        refused(binary, key, "binary: Expected a PEM file, but it is not text");
        refused(broken, key, "broken: ");
        refused(cert, text, "text: Expected a PEM file with '-----BEGIN PRIVATE KEY-----'");
        refused(cert, cert, "server.pem: Expected a PEM file with '-----BEGIN PRIVATE KEY-----'");
        refused(cert, tls.resolve("ca-key.pem"), "ca-key.pem: Expected the key of the first certificate");
        assertThatThrownBy(() -> Tls.files(cert, key).identity(dir, NOW_MS + 400 * DAY_MS))
                .isInstanceOf(TlsException.class)
                .hasMessageContaining("server.pem: The certificate expired on");
        assertThatThrownBy(() -> Tls.files(cert, key).identity(dir, NOW_MS - 400 * DAY_MS))
                .hasMessageContaining("is not valid before");
        for (String bad : List.of("", "cert.pem", "a,b,c", ",key", "cert,")) {
            assertThatThrownBy(() -> Tls.parse(bad)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private void refused(Path cert, Path key, String words) {
        assertThatThrownBy(() -> Tls.files(cert, key).identity(dir, NOW_MS))
                .isInstanceOf(TlsException.class)
                .hasMessageContaining(words)
                .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
    }

    private KeyStore trustStore() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(dir.resolve("tls/truststore.p12"))) {
            store.load(in, "changeit".toCharArray());
        }
        return store;
    }
}
