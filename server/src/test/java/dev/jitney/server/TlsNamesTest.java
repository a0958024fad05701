package dev.jitney.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.server.config.NamespaceConfig;
import dev.jitney.server.config.ServerConfig;
import dev.jitney.server.tls.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that verify host names reach each namespace of a server with {@code --tls auto} by its own name. */
class TlsNamesTest {
    private JitneyServer server;

    @TempDir
    Path dir;

    @BeforeEach
    void start() throws StartException {
        server = JitneyServer.builder()
                .dataDir(dir)
                .amqpPort(0)
                .httpPort(0)
                .amqpsPort(0)
                .httpsPort(0)
                .tls(Tls.parse("auto:broker.example"))
                .config(new ServerConfig(
                        List.of(NamespaceConfig.named("team-a"), NamespaceConfig.named("team-b")), List.of()))
                .build()
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("HTTP 1.3: a Java client accepts the certificate of AMQP and of HTTPS for each name")
    @ValueSource(strings = {"localhost", "team-a.localhost", "team-b.localhost", "team-b.broker.example"})
    void java(String name) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(dir.resolve("tls/truststore.p12"))) {
            store.load(in, "changeit".toCharArray());
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        for (Integer port : List.of(server.amqpsPort(), server.httpsPort())) {
            try (Socket plain = new Socket("127.0.0.1", port);
                    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, name, port, true)) {
                SSLParameters parameters = socket.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                socket.setSSLParameters(parameters);
                socket.startHandshake();
                assertThat(socket.getSession().isValid()).isTrue();
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("HTTP 1.3: OpenSSL accepts the certificate for each name, but would not for *.localhost")
    @ValueSource(strings = {"localhost", "team-a.localhost", "team-b.localhost", "broker.example"})
    void openssl(String name) throws Exception {
        String said = run(
                "openssl",
                "s_client",
                "-connect",
                "127.0.0.1:" + server.amqpsPort(),
                "-servername",
                name,
                "-verify_hostname",
                name,
                "-verify_return_error",
                "-CAfile",
                dir.resolve("tls/ca.pem").toString());
        assertThat(said).contains("Verify return code: 0 (ok)");
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("HTTP 1.3: Node accepts the certificate for each name, but would not for *.localhost")
    @ValueSource(strings = {"localhost", "team-a.localhost", "team-b.localhost", "broker.example"})
    void node(String name) throws Exception {
        String program = "const s = require('tls').connect({host: '127.0.0.1', port: +process.argv[1],"
                + " servername: process.argv[2], ca: require('fs').readFileSync(process.argv[3])}, () => {"
                + " console.log('authorized ' + s.authorized); s.end(); });"
                + " s.on('error', e => { console.log(e.message); process.exit(1); });";
        String said = run(
                "node",
                "-e",
                program,
                String.valueOf(server.httpsPort()),
                name,
                dir.resolve("tls/ca.pem").toString());
        assertThat(said.strip()).isEqualTo("authorized true");
    }

    /** Runs a program with an empty standard input. If the program is missing, the test is skipped, or fails in CI. */
    private String run(String... command) throws Exception {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException missing) {
            assertThat(System.getenv("JITNEY_CI")).as(missing.getMessage()).isNotEqualTo("true");
            Assumptions.abort("Expected " + command[0] + ", but: " + missing.getMessage());
            throw missing;
        }
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }
}
