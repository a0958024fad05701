package dev.jitney.server;

import static dev.jitney.server.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.client.ClientLimits;
import dev.jitney.runtime.security.SharedAccessSignature;
import dev.jitney.runtime.security.TlsPolicy;
import dev.jitney.server.doctor.Probe;
import dev.jitney.server.tls.ClusterCertificates;
import dev.jitney.server.tls.TestAuthority;
import dev.jitney.server.tls.Tls;
import dev.jitney.server.tls.TlsSettings;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The certificates of the ports of clients while the server runs, and the certificates of clients. */
@Timeout(120)
class ReloadedCertificatesTest {
    private static final long POLL_MS = 20;
    private static final byte[] SASL_HEADER = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};

    @TempDir
    Path dir;

    private Path certificate() {
        return dir.resolve("tls.crt");
    }

    private Path key() {
        return dir.resolve("tls.key");
    }

    private void copy(ClusterCertificates from) throws IOException {
        Files.copy(from.certificates(), certificate(), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(from.key(), key(), StandardCopyOption.REPLACE_EXISTING);
    }

    private JitneyServerBuilder builder() {
        return JitneyServer.builder()
                .inMemory(true)
                .certificatePollMs(POLL_MS)
                .tls(Tls.files(certificate(), key()))
                .amqpsPort(0)
                .httpsPort(0)
                .port(0);
    }

    private static SSLSocket connect(SSLContext context, int port) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("localhost", port);
        socket.setSoTimeout(30_000);
        socket.startHandshake();
        return socket;
    }

    private static String subject(SSLContext context, int port) {
        try (SSLSocket socket = connect(context, port)) {
            return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
                    .getSubjectX500Principal()
                    .getName();
        } catch (IOException e) {
            return String.valueOf(e);
        }
    }

    private static String get(SSLSocket socket, String path, String headers) throws IOException {
        return request(socket, "GET", path, headers);
    }

    private static String request(SSLSocket socket, String method, String path, String headers) throws IOException {
        socket.getOutputStream()
                .write((method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("The connection ended after: " + head);
            }
            head.append((char) next);
        }
        int length = Integer.parseInt(head.toString().replaceAll("(?is).*content-length: (\\d+).*", "$1"));
        return head + new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    @Test
    @DisplayName("New files are used for new handshakes on all TLS ports, and open connections continue")
    void reloads() throws Exception {
        TestAuthority authority = new TestAuthority(dir.resolve("ca"));
        ClusterCertificates first = authority.node("first", "localhost");
        ClusterCertificates second = authority.node("second", "localhost");
        copy(first);
        SSLContext anyone = TestAuthority.stranger();
        try (JitneyServer server = builder().build().start()) {
            int https = server.httpsPort();
            List<Integer> ports = List.of(https, server.amqpsPort());
            ports.forEach(port -> assertThat(subject(anyone, port)).contains("CN=first"));
            try (SSLSocket open = connect(TestAuthority.stranger(), https)) {
                assertThat(get(open, "/health", "")).startsWith("HTTP/1.1 200");
                Files.copy(second.certificates(), certificate(), StandardCopyOption.REPLACE_EXISTING);
                await(() -> ready(open).contains("tls.key: Expected the key of the first certificate"));
                assertThat(ready(open)).startsWith("HTTP/1.1 200").contains("\"degraded\":true");
                assertThat(subject(anyone, https)).contains("CN=first");
                copy(second);
                for (int port : ports) {
                    await(() -> subject(anyone, port).contains("CN=second"));
                }
                await(() -> ready(open).contains("\"degraded\":false"));
                assertThat(get(open, "/metrics", ""))
                        .contains("jitney_tls_certificate_reloads_total 1.0")
                        .contains("jitney_tls_certificate_unusable_files 0.0")
                        .contains("jitney_tls_certificate_expiry_timestamp_seconds ");
            }
        }
    }

    private static String ready(SSLSocket open) {
        try {
            return get(open, "/health/ready", "");
        } catch (IOException e) {
            return String.valueOf(e);
        }
    }

    @Test
    @DisplayName("--tls auto renews its certificate before it expires, without a restart")
    void renewsItsOwn() throws Exception {
        AtomicLong nowMs = new AtomicLong(Clock.system().nowMs());
        try (JitneyServer server = JitneyServer.builder()
                .dataDir(dir.resolve("data"))
                .tls(Tls.auto())
                .port(0)
                .certificatePollMs(POLL_MS)
                .clock(nowMs::get)
                .build()
                .start()) {
            int port = server.httpsPort();
            X509Certificate before = certificate(port);
            nowMs.addAndGet(Duration.ofDays(340).toMillis());
            await(() -> !certificate(port).equals(before));
            assertThat(certificate(port).getNotAfter()).isAfter(before.getNotAfter());
        }
    }

    private static X509Certificate certificate(int port) {
        try (SSLSocket socket = connect(TestAuthority.stranger(), port)) {
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private TlsSettings clients(TlsPolicy.ClientAuthentication how, ClusterCertificates any, String rules)
            throws IOException {
        Path file = Files.writeString(dir.resolve("rules.json"), rules);
        TlsPolicy policy =
                new TlsPolicy(TlsPolicy.DEFAULT.versions(), TlsPolicy.DEFAULT.suites(), TlsPolicy.Engine.JDK, how);
        return new TlsSettings(policy, any.authority(), file);
    }

    private static final String MANAGER =
            "{\"Certificates\": [{\"CommonName\": \"operator\", \"Rule\": \"RootManageSharedAccessKey\"}]}";

    @Test
    @DisplayName("The certificate of a client has the rights of its rule over HTTP, until the entry is removed")
    void givesRightsOverHttp() throws Exception {
        TestAuthority authority = new TestAuthority(dir.resolve("ca"));
        copy(authority.node("server", "localhost"));
        ClusterCertificates operator = authority.operator();
        TlsSettings settings = clients(TlsPolicy.ClientAuthentication.OPTIONAL, operator, MANAGER);
        try (JitneyServer server = builder().tlsSettings(settings).build().start()) {
            int port = server.httpsPort();
            SSLContext known = TestAuthority.unchecked(operator);
            String entities = "/$Resources/Queues?api-version=2021-05";
            try (SSLSocket socket = connect(known, port)) {
                assertThat(get(socket, entities, "")).startsWith("HTTP/1.1 200");
                assertThat(get(socket, "/$namespaces", "")).startsWith("HTTP/1.1 200");
                assertThat(get(socket, entities, "Sec-Fetch-Site: cross-site\r\n"))
                        .startsWith("HTTP/1.1 401");
                assertThat(get(socket, entities, "Origin: https://elsewhere.example\r\n"))
                        .startsWith("HTTP/1.1 401");
                assertThat(get(socket, entities, "Authorization: SharedAccessSignature nonsense\r\n"))
                        .startsWith("HTTP/1.1 401");
                Files.writeString(dir.resolve("rules.json"), "{\"Certificates\": []}");
                await(() -> status(socket, entities).startsWith("HTTP/1.1 401"));
            }
            try (SSLSocket socket = connect(TestAuthority.stranger(), port)) {
                assertThat(get(socket, entities, "")).startsWith("HTTP/1.1 401");
            }
        }
    }

    @Test
    @DisplayName("A receive over HTTP that waits ends when the entry of its certificate is removed")
    void endsWaitingReceives() throws Exception {
        TestAuthority authority = new TestAuthority(dir.resolve("ca"));
        copy(authority.node("server", "localhost"));
        ClusterCertificates operator = authority.operator();
        TlsSettings settings = clients(TlsPolicy.ClientAuthentication.OPTIONAL, operator, MANAGER);
        try (JitneyServer server = builder().tlsSettings(settings).build().start()) {
            server.broker()
                    .namespaces()
                    .get(0)
                    .createQueue(QueueDescription.named("q").build())
                    .toCompletableFuture()
                    .get(60, TimeUnit.SECONDS);
            try (SSLSocket socket = connect(TestAuthority.unchecked(operator), server.httpsPort())) {
                CompletableFuture<String> answer = CompletableFuture.supplyAsync(() -> {
                    try {
                        return request(socket, "DELETE", "/q/messages/head?timeout=25", "");
                    } catch (IOException e) {
                        return String.valueOf(e);
                    }
                });
                Entity queue = Objects.requireNonNull(
                        server.broker().namespaces().get(0).entity("q"));
                await(() -> queue.figures().receivers() == 1);
                Files.writeString(dir.resolve("rules.json"), "{\"Certificates\": []}");
                assertThat(answer.get(60, TimeUnit.SECONDS))
                        .startsWith("HTTP/1.1 401")
                        .contains("certificate");
            }
        }
    }

    private static String status(SSLSocket socket, String path) {
        try {
            return get(socket, path, "");
        } catch (IOException e) {
            return String.valueOf(e);
        }
    }

    @Test
    @DisplayName("EXTERNAL is offered only to clients whose certificate stands for a rule")
    void offersExternal() throws Exception {
        TestAuthority authority = new TestAuthority(dir.resolve("ca"));
        copy(authority.node("server", "localhost"));
        ClusterCertificates operator = authority.operator();
        ClusterCertificates other = authority.node("other", "localhost");
        TlsSettings settings = clients(TlsPolicy.ClientAuthentication.OPTIONAL, operator, MANAGER);
        try (JitneyServer server = builder().tlsSettings(settings).build().start()) {
            assertThat(mechanisms(TestAuthority.unchecked(operator), server.amqpsPort()))
                    .contains("EXTERNAL", "PLAIN");
            assertThat(mechanisms(TestAuthority.unchecked(other), server.amqpsPort()))
                    .contains("PLAIN")
                    .doesNotContain("EXTERNAL");
            assertThat(mechanisms(TestAuthority.stranger(), server.amqpsPort()))
                    .contains("PLAIN")
                    .doesNotContain("EXTERNAL");
        }
    }

    private static String mechanisms(SSLContext context, int port) throws IOException {
        try (SSLSocket socket = connect(context, port)) {
            socket.getOutputStream().write(SASL_HEADER);
            InputStream in = socket.getInputStream();
            in.readNBytes(SASL_HEADER.length);
            byte[] size = in.readNBytes(4);
            int length = (size[2] & 0xff) << 8 | size[3] & 0xff;
            return new String(in.readNBytes(length - 4), StandardCharsets.ISO_8859_1);
        }
    }

    @Test
    @DisplayName("A certificate that is required must be there, and be of the authority")
    void requiresCertificates() throws Exception {
        TestAuthority authority = new TestAuthority(dir.resolve("ca"));
        copy(authority.node("server", "localhost"));
        ClusterCertificates operator = authority.operator();
        ClusterCertificates foreign = new TestAuthority(dir.resolve("other")).operator();
        TlsSettings settings = clients(TlsPolicy.ClientAuthentication.REQUIRED, operator, MANAGER);
        try (JitneyServer server =
                builder().tlsSettings(settings).healthPort(0).build().start()) {
            for (int port : List.of(server.httpsPort(), server.amqpsPort())) {
                assertThat(handshakeFails(TestAuthority.unchecked(operator), port))
                        .isFalse();
                assertThat(handshakeFails(TestAuthority.unchecked(foreign), port))
                        .isTrue();
                assertThat(handshakeFails(TestAuthority.stranger(), port)).isTrue();
            }
            Integer health = server.healthPort();
            assertThat(health).as("probes have no certificate").isNotNull();
            assertThat(Probe.health(URI.create("http://localhost:" + health)).status())
                    .isEqualTo(200);
            assertThat(server.listeners()).contains("127.0.0.1:" + health + " (health)");
        }
    }

    /** In TLS 1.3 a client gets the refusal with the first read. */
    private static boolean handshakeFails(SSLContext context, int port) {
        try (SSLSocket socket = connect(context, port)) {
            socket.getOutputStream().write(SASL_HEADER);
            return socket.getInputStream().read() < 0;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    @DisplayName("Settings that contradict each other, and files with mistakes, are refused at the start")
    void refusesContradictions() throws Exception {
        TestAuthority authority = new TestAuthority(dir.resolve("ca"));
        copy(authority.node("server", "localhost"));
        ClusterCertificates operator = authority.operator();
        refused(
                clients(TlsPolicy.ClientAuthentication.OFF, operator, MANAGER),
                "--tls-client-ca: Expected --tls-client-auth OPTIONAL or REQUIRED");
        refused(
                clients(TlsPolicy.ClientAuthentication.OPTIONAL, operator, "{\"Certificates\": [{\"Rule\": \"a\"}]}"),
                "rules.json: Certificates[0].Subject: Expected one of Subject, CommonName, Dns, Uri, Email");
        refused(
                clients(
                        TlsPolicy.ClientAuthentication.OPTIONAL,
                        operator,
                        "{\"Certificates\": [{\"CommonName\": \"a\", \"Rule\": \"a\", \"Entiti\": \"b\"}]}"),
                "Certificates[0].Entiti: Expected a member that Jitney knows");
        TlsPolicy onlyNew = new TlsPolicy(
                List.of("TLSv1.3"),
                List.of("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"),
                TlsPolicy.Engine.JDK,
                TlsPolicy.ClientAuthentication.OFF);
        refused(
                new TlsSettings(onlyNew, null, null),
                "--tls-ciphers: Expected at least one suite for each version, but TLSv1.3 has none");
    }

    private void refused(TlsSettings settings, String words) {
        assertThatThrownBy(() -> builder().tlsSettings(settings).build().start())
                .isInstanceOf(StartException.class)
                .hasMessageContaining(words);
    }

    @Test
    @DisplayName("Versions and suites of the settings are the only ones that a client can use")
    void appliesThePolicy() throws Exception {
        copy(new TestAuthority(dir.resolve("ca")).node("server", "localhost"));
        TlsPolicy policy = new TlsPolicy(
                TlsPolicy.parseVersions(List.of("1.2")),
                TlsPolicy.parseSuites(List.of("ECDHE-ECDSA-AES128-GCM-SHA256")),
                TlsPolicy.Engine.AUTO,
                TlsPolicy.ClientAuthentication.OFF);
        try (JitneyServer server = builder()
                .tlsSettings(new TlsSettings(policy, null, null))
                .build()
                .start()) {
            try (SSLSocket socket = connect(TestAuthority.stranger(), server.httpsPort())) {
                assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.2");
                assertThat(socket.getSession().getCipherSuite()).isEqualTo("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
            }
            SSLSocket socket = (SSLSocket)
                    TestAuthority.stranger().getSocketFactory().createSocket("localhost", server.httpsPort());
            socket.setEnabledProtocols(new String[] {"TLSv1.3"});
            assertThatThrownBy(socket::startHandshake).isInstanceOf(IOException.class);
        }
    }

    @Test
    @DisplayName("An address has its limit of connections on AMQP and HTTP ports, and of refused keys over HTTP")
    void limitsAddresses() throws Exception {
        try (JitneyServer server = JitneyServer.builder()
                .inMemory(true)
                .amqpPort(0)
                .httpPort(0)
                .clientLimits(new ClientLimits(3, 0, 10, 0))
                .build()
                .start()) {
            for (int port : List.of(server.amqpPort(), server.httpPort())) {
                awaitLimit(port, 3);
            }
            String wrong = SharedAccessSignature.create(
                    "http://localhost/",
                    "RootManageSharedAccessKey",
                    "wrong",
                    Clock.system().nowMs() / 1_000 + 3_600);
            awaitOnce(() -> status(server.httpPort(), wrong) == 503);
            String page = page(server.httpPort());
            assertThat(page)
                    .contains("jitney_client_paused_addresses ")
                    .contains("jitney_client_refused_connections_total{reason=\"connections\"} ");
        }
    }

    /** Waits for a condition that may be true only for a moment. */
    private static void awaitOnce(BooleanSupplier condition) {
        AtomicBoolean was = new AtomicBoolean();
        await(() -> {
            if (!was.get() && condition.getAsBoolean()) {
                was.set(true);
            }
            return was.get();
        });
    }

    /** Waits until this many sockets stay open, and one more is closed. Sockets of others may count for a while after their end. */
    private static void awaitLimit(int port, int limit) {
        List<Socket> open = new ArrayList<>();
        try {
            await(() -> {
                open.removeIf(ReloadedCertificatesTest::closedIfEnded);
                try {
                    while (open.size() < limit) {
                        open.add(new Socket("127.0.0.1", port));
                    }
                    try (Socket more = new Socket("127.0.0.1", port)) {
                        return isClosed(more, 1_000) && open.stream().noneMatch(each -> isClosed(each, 20));
                    }
                } catch (IOException e) {
                    return false;
                }
            });
        } finally {
            open.forEach(ReloadedCertificatesTest::close);
        }
    }

    private static boolean closedIfEnded(Socket socket) {
        boolean ended = isClosed(socket, 20);
        if (ended) {
            close(socket);
        }
        return ended;
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isClosed(Socket socket, int waitMs) {
        try {
            socket.setSoTimeout(waitMs);
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException open) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private static int status(int port, @Nullable String token) {
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + port + "/$Resources/Queues?api-version=2021-05"));
            if (token != null) {
                request.header("Authorization", token);
            }
            return HttpClient.newHttpClient()
                    .send(request.build(), HttpResponse.BodyHandlers.ofString())
                    .statusCode();
        } catch (IOException | InterruptedException e) {
            return -1;
        }
    }

    private static String page(int port) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
