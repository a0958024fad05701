package dev.jitney.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.jitney.server.JitneyServer;
import dev.jitney.server.tls.Tls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The health check of containers. */
class HealthCommandTest {
    private final Map<String, String> environment = new HashMap<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private HttpServer server;

    @TempDir
    Path dir;

    private volatile int status = 200;
    private volatile int readyAtAsk = Integer.MAX_VALUE;
    private final List<String> asked = new CopyOnWriteArrayList<>();

    @BeforeEach
    void start() throws IOException {
        environment.put("JITNEY_TIMEOUT", "60"); // for a machine that stalls
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/health", exchange -> {
            asked.add(exchange.getRequestURI().getPath());
            if (asked.size() >= readyAtAsk) {
                status = 200;
            }
            byte[] body = (status == 200
                            ? "{\"status\":\"healthy\"}"
                            : "{\"status\":\"unhealthy\",\"message\":\"Service not available.\"}\r\n")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private int port() {
        return server.getAddress().getPort();
    }

    @Test
    @DisplayName("HTTP 4.2: 200 means ready, at the server's own settings or a URL")
    void ready() {
        assertThat(run("health", "--http-port", String.valueOf(port()))).isZero();
        assertThat(printed(out)).isEqualTo("Ready: http://127.0.0.1:" + port() + "/health");
        assertThat(run("health", "--url", "http://localhost:" + port())).isZero();
        assertThat(run("health", "--url", "http://localhost:" + port() + "/health"))
                .isZero();
        environment.put("JITNEY_HTTP_PORT", String.valueOf(port()));
        environment.put("JITNEY_HOST", "0.0.0.0");
        assertThat(run("health")).as("all interfaces are asked on this one").isZero();
    }

    @Test
    @DisplayName("HTTP 4.2: without a port for HTTP, the check uses the one for HTTPS, with the server's own settings")
    void overHttps() throws Exception {
        try (JitneyServer secure = JitneyServer.builder()
                .dataDir(dir)
                .host("0.0.0.0")
                .sasKey("a-key-of-our-own-0123456789")
                .tls(Tls.auto())
                .httpsPort(0)
                .build()
                .start()) {
            String port = String.valueOf(secure.httpsPort());
            assertThat(run("health", "--http-port", "off", "--https-port", port))
                    .as(printed(err))
                    .isZero();
            assertThat(printed(out)).isEqualTo("Ready: https://127.0.0.1:" + port + "/health");
            environment.put("JITNEY_HOST", "0.0.0.0");
            environment.put("JITNEY_TLS", "auto");
            environment.put("JITNEY_HTTPS_PORT", port);
            assertThat(run("health")).as("off because others can connect").isZero();
            environment.put("JITNEY_HTTP_PORT", String.valueOf(port()));
            out.reset();
            assertThat(run("health")).isZero();
            assertThat(printed(out)).startsWith("Ready: http://127.0.0.1:" + port());
        }
        environment.clear();
        assertThat(run("health", "--http-port", "off")).isEqualTo(2);
        assertThat(printed(err)).contains("--https-port: Expected the server's port for HTTPS");
    }

    @Test
    @DisplayName("HTTP 4.2: --health-port comes first, and a variable of the server sets it")
    void healthPort() {
        environment.put("JITNEY_TLS", "cert.pem,key.pem");
        environment.put("JITNEY_HTTPS_PORT", "1");
        environment.put("JITNEY_HEALTH_PORT", String.valueOf(port()));
        assertThat(run("health", "--ready")).isZero();
        assertThat(printed(out)).startsWith("Ready: http://127.0.0.1:" + port() + "/health/ready");
    }

    @Test
    @DisplayName("HTTP 4.2: any other response means not ready, reported on one line")
    void notReady() {
        status = 503;
        assertThat(run("health", "--http-port", String.valueOf(port()))).isEqualTo(1);
        assertThat(printed(err))
                .isEqualTo("jitney: Not ready: http://127.0.0.1:" + port() + "/health: the server answered 503:"
                        + " {\"status\":\"unhealthy\",\"message\":\"Service not available.\"}");
        assertThat(printed(out)).isEmpty();
        assertThat(run("health", "--url", "http://localhost:" + port() + "/elsewhere"))
                .isEqualTo(1);
    }

    @Test
    @DisplayName("--live and --ready check the pages for probes, and print so")
    void probes() throws Exception {
        String url = "http://127.0.0.1:" + port();
        assertThat(run("health", "--live", "--url", url)).isZero();
        assertThat(run("health", "--ready", "--url", url)).isZero();
        assertThat(printed(out)).isEqualTo("Alive: " + url + "/health/live\nReady: " + url + "/health/ready");
        assertThat(asked).containsExactly("/health/live", "/health/ready");
        assertThat(run("health", "--ready", "--url", url + "/health")).isEqualTo(2);
        assertThat(printed(err)).contains("--url: Expected a URL without a path together with --ready");
    }

    @Test
    @DisplayName("--while-pid ends the wait with an error when the process of the server has ended")
    void endedProcess() throws Exception {
        Process server = new ProcessBuilder("sleep", "600").start();
        try {
            assertThat(run(
                            "health",
                            "--while-pid",
                            String.valueOf(server.pid()),
                            "--http-port",
                            String.valueOf(port())))
                    .isZero();
        } finally {
            server.destroyForcibly().waitFor();
        }
        status = 503;
        assertThat(run(
                        "health",
                        "--wait",
                        "1h",
                        "--while-pid",
                        String.valueOf(server.pid()),
                        "--http-port",
                        String.valueOf(port())))
                .isEqualTo(1);
        assertThat(printed(err)).contains("the process " + server.pid() + " of the server has ended");
    }

    @Test
    @DisplayName("--wait repeats the check until the server is ready")
    void waits() {
        status = 503;
        readyAtAsk = 3;
        assertThat(run("health", "--wait", "10m", "--http-port", String.valueOf(port())))
                .isZero();
        assertThat(asked).hasSize(3);
        assertThat(printed(err)).isEmpty();
    }

    @Test
    @DisplayName("--wait ends with the last reason when the time has passed")
    void waitsInVain() {
        status = 503;
        assertThat(run("health", "--wait", "1s", "--http-port", String.valueOf(port())))
                .isEqualTo(1);
        assertThat(printed(err)).contains("the server answered 503").endsWith("(waited 1 s)");
    }

    @Test
    @DisplayName("A missing or unresponsive server is not ready")
    void absent() throws IOException {
        try (Socket bound = new Socket()) { // a port without a listener, which no other program can use
            bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            assertThat(run("health", "--http-port", String.valueOf(bound.getLocalPort())))
                    .isEqualTo(1);
            assertThat(printed(err)).contains("connection refused. Is the server running");
        }
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            err.reset();
            assertThat(run("health", "--timeout", "1", "--http-port", String.valueOf(silent.getLocalPort())))
                    .isEqualTo(1);
            assertThat(printed(err)).contains("timed out");
        }
    }

    @ParameterizedTest
    @DisplayName("Invalid options end with status 2")
    @CsvSource({
        "--url here,--url",
        "--url ftp://localhost,--url",
        "--http-port x,--http-port",
        "--timeout 0,--timeout",
        "--host a/b c,--host",
        "--wait 0s,--wait",
        "--wait 25h,--wait",
        "--wait soon,--wait",
        "--live --ready,--live"
    })
    void refused(String arguments, String option) {
        int space = arguments.indexOf(' ');
        assertThat(run("health", arguments.substring(0, space), arguments.substring(space + 1)))
                .isEqualTo(2);
        assertThat(printed(err)).contains(option);
    }

    private int run(String... arguments) {
        return new JitneyCli(
                        environment,
                        new PrintStream(out),
                        new PrintStream(err),
                        (builder, configured, exitWithInput) -> 0)
                .execute(arguments);
    }

    private static String printed(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8).strip();
    }
}
