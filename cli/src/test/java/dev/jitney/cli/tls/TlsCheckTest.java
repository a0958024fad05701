package dev.jitney.cli.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cli.support.Commands;
import dev.jitney.cli.support.Run.Result;
import dev.jitney.server.JitneyServer;
import dev.jitney.server.tls.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code jitney tls check}, against real ports. */
class TlsCheckTest {
    @TempDir
    static Path dir;

    private static JitneyServer server;

    @BeforeAll
    static void start() throws Exception {
        server = JitneyServer.builder()
                .dataDir(dir.resolve("data"))
                .port(0)
                .amqpsPort(0)
                .httpsPort(0)
                .httpPort(0)
                .tls(Tls.auto())
                .build()
                .start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static List<Integer> ports(Predicate<List<String>> protocols) {
        return server.ports().entrySet().stream()
                .filter(port -> protocols.test(port.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static String authority() {
        return dir.resolve("data/tls/ca.pem").toString();
    }

    @Test
    @DisplayName("A server whose authority is trusted has no problems, on ports of AMQP, HTTPS and both")
    void findsNoProblems() {
        List<Integer> secure = ports(protocols -> protocols.contains("amqps") || protocols.contains("https"));
        assertThat(secure).hasSize(3);
        for (int port : secure) {
            Result result = Commands.anywhere().run("tls", "check", "localhost:" + port, "--ca", authority());
            assertThat(result.out())
                    .contains("TLSv1.3  TLS_AES_256_GCM_SHA384", "TLSv1.2  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384")
                    .contains("client certificate  not requested", "CN=Jitney local authority", "No problems.")
                    .doesNotContain("CBC");
            assertThat(result.status()).isZero();
        }
    }

    @Test
    @DisplayName("An unknown authority and a name that does not fit are problems, each with its fix")
    void findsProblems() {
        Result result = Commands.anywhere().run("tls", "check", "0.0.0.0:" + server.amqpsPort());
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.out())
                .contains("Problem: The certificate is not for 0.0.0.0, but for localhost")
                .contains("--tls auto:0.0.0.0 makes one")
                .contains("Problem: Java on this machine does not trust the certificate")
                .contains("--ca FILE");
    }

    @Test
    @DisplayName("For programs, the result is one JSON document")
    void printsJson() {
        Result result = Commands.anywhere()
                .run("tls", "check", "localhost:" + server.amqpsPort(), "--json", "--ca", authority());
        assertThat(result.out())
                .contains("\"trusted\":true", "\"nameFits\":true", "\"findings\":[]", "\"weak\":[]")
                .contains("\"TLSv1.3\":[\"TLS_AES_256_GCM_SHA384\"");
        assertThat(result.out().lines()).hasSize(1);
    }

    @Test
    @DisplayName("A port without TLS, a closed port and a wrong argument end with one line and the fix")
    void refuses() throws IOException {
        assertThat(Commands.anywhere()
                        .run(
                                "tls",
                                "check",
                                "localhost:" + ports(List.of("http")::equals).get(0))
                        .err())
                .contains("Expected TLS 1.2 or 1.3, but this port does not accept it");
        int closed;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = socket.getLocalPort();
        }
        assertThat(Commands.anywhere()
                        .run("tls", "check", "127.0.0.1:" + closed)
                        .err())
                .contains("Cannot connect");
        assertThat(Commands.anywhere().run("tls", "check", "localhost:99999").status())
                .isEqualTo(2);
        assertThat(Commands.anywhere().run("tls", "check").status()).isEqualTo(2);
    }
}
