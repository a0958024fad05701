package dev.jitney.cli.support;

import dev.jitney.gateway.http.operator.privacy.BodyPrivacy;
import dev.jitney.model.QueueDescription;
import dev.jitney.server.JitneyServer;
import dev.jitney.server.tls.Tls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A server for one test class, on free ports, in a temporary directory. */
public final class LocalServer implements BeforeAllCallback, AfterAllCallback {
    private static final AtomicInteger NAMES = new AtomicInteger();

    private @Nullable Path dataDir;
    private @Nullable JitneyServer server;

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        dataDir = Files.createTempDirectory("jitney-cli");
        server = JitneyServer.builder()
                .dataDir(dataDir)
                .host("127.0.0.1")
                .amqpPort(0)
                .httpPort(0)
                .amqpsPort(0)
                .httpsPort(0)
                .tls(Tls.auto())
                .privacy(BodyPrivacy.of(List.of("$.secret"), false))
                .build()
                .start();
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        server().close();
        try (Stream<Path> files = Files.walk(dataDir())) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }

    private JitneyServer server() {
        return Objects.requireNonNull(server, "the server runs between beforeAll and afterAll");
    }

    private Path dataDir() {
        return Objects.requireNonNull(dataDir, "the directory exists between beforeAll and afterAll");
    }

    /** Creates a queue with a unique name. */
    public String queue() throws Exception {
        return queue(description -> description);
    }

    /** Creates a queue with this description under a unique name. */
    public String queue(UnaryOperator<QueueDescription.Builder> description) throws Exception {
        String name = "queue-" + NAMES.incrementAndGet();
        server().broker()
                .namespaces()
                .get(0)
                .createQueue(description.apply(QueueDescription.named(name)).build())
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        return name;
    }

    /** Returns the connection string that the server prints at start. */
    public String connectionString() {
        return server().connectionString();
    }

    /** Returns the same for the port with TLS. */
    public String tlsConnectionString() {
        return "Endpoint=sb://localhost:" + server().amqpsPort()
                + ";SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=SAS_KEY_VALUE";
    }

    /** Returns the certificate of the server's own authority. */
    public Path ca() {
        return dataDir().resolve("tls/ca.pem");
    }

    /** Returns the URL for entity management over TLS. */
    public String secureAdminUrl() {
        return "https://localhost:" + server().httpsPort();
    }

    public String adminUrl() {
        return "http://localhost:" + server().httpPort();
    }
}
