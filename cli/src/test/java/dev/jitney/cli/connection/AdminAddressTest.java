package dev.jitney.cli.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cli.support.Commands;
import dev.jitney.cli.support.Run;
import dev.jitney.server.JitneyServer;
import dev.jitney.server.tls.Tls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The default port for entity management. */
class AdminAddressTest {
    @TempDir
    Path directory;

    @Test
    @DisplayName("Given a server with one port, then its printed connection string is enough to manage entities")
    void onePort() throws Exception {
        try (JitneyServer server = JitneyServer.builder()
                .dataDir(directory.resolve("data"))
                .host("127.0.0.1")
                .ports(List.of(0))
                .build()
                .start()) {
            Run jitney = Commands.anywhere().with("JITNEY_CONNECTION_STRING", server.connectionString());
            jitney.ok("queue", "create", "tea");
            assertThat(jitney.ok("queue", "list").out()).contains("tea");
            assertThat(jitney.ok("list").out()).contains("tea");
        }
    }

    @Test
    @DisplayName("Given one port with TLS, then a connection string with that port is enough")
    void onePortWithTls() throws Exception {
        Path data = directory.resolve("data");
        try (JitneyServer server = JitneyServer.builder()
                .dataDir(data)
                .host("127.0.0.1")
                .ports(List.of(0))
                .tls(Tls.auto())
                .build()
                .start()) {
            Run jitney = Commands.anywhere()
                    .with(
                            "JITNEY_CONNECTION_STRING",
                            "Endpoint=sb://localhost:" + server.amqpsPort()
                                    + ";SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=SAS_KEY_VALUE");
            jitney.ok(
                    "queue", "create", "tea", "--ca", data.resolve("tls/ca.pem").toString());
        }
    }

    @Test
    @DisplayName("Given only AMQP at the port of the connection string, then port 5300 is used")
    void amqpAlone() throws Exception {
        try (JitneyServer server = JitneyServer.builder()
                .dataDir(directory.resolve("data"))
                .host("127.0.0.1")
                .amqpPort(0)
                .httpPort(0)
                .build()
                .start()) {
            NamespaceAddress address = NamespaceAddress.parse(server.connectionString());
            assertThat(AdminAddress.of(address)).hasToString("http://localhost:5300");
        }
    }

    @Test
    @DisplayName(
            "Given a server that answers only after some seconds, as in a failover of a cluster, then its port is used")
    void slowAnswer() throws Exception {
        byte[] answer = "HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        Executor late = CompletableFuture.delayedExecutor(2_500, TimeUnit.MILLISECONDS);
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> answered = CompletableFuture.runAsync(
                    () -> {
                        try (Socket client = server.accept()) {
                            client.getOutputStream().write(answer);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    },
                    late);
            NamespaceAddress address = NamespaceAddress.parse("Endpoint=sb://localhost:" + server.getLocalPort()
                    + ";SharedAccessKeyName=n;SharedAccessKey=k;UseDevelopmentEmulator=true");
            assertThat(AdminAddress.of(address)).hasToString("http://localhost:" + server.getLocalPort());
            answered.get();
        }
    }

    @Test
    @DisplayName("Given a namespace in the cloud, then its host is used over HTTPS without a check")
    void cloud() {
        NamespaceAddress address = NamespaceAddress.parse(
                "Endpoint=sb://shop.servicebus.invalid/;SharedAccessKeyName=n;SharedAccessKey=k");
        assertThat(AdminAddress.of(address)).hasToString("https://shop.servicebus.invalid");
    }
}
