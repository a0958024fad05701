package dev.jitney.crash.greedy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Messages;
import dev.jitney.testing.client.RequestLink;
import dev.jitney.testing.client.SessionStates;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.UnsignedInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that replies larger than 16 MiB are sent if there is credit for them. */
final class LargeAnswersTest {
    private static final String QUEUE = "large";
    private static final String SESSIONS = "sessions";
    private static final int MESSAGE_BYTES = 17 << 20;
    private static final int STATE_BYTES = 20 << 20;
    private static final long PATIENCE_SECONDS = 30;

    @TempDir
    Path directory;

    @Test
    @DisplayName("DEFER-2, wire reference 6.6: a deferred message of 17 MB is received by its number, on PREMIUM")
    void deferredMessage() throws Exception {
        try (ServerProcess server = server();
                AmqpClient client = new AmqpClient(1)) {
            Stock.send(server.endpoint(), QUEUE, 1, MESSAGE_BYTES);
            List<Long> numbers = Stock.defer(server.endpoint(), QUEUE, 1);
            ClientConnection connection = client.open(server.endpoint());
            RequestLink management = AmqpClient.await(connection.management(QUEUE));
            RequestLink.Response answer = management
                    .request(
                            "com.microsoft:receive-by-sequence-number",
                            Map.of(
                                    "sequence-numbers",
                                    new long[] {numbers.get(0)},
                                    "receiver-settle-mode",
                                    UnsignedInteger.valueOf(1)))
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertThat(answer.status()).as(answer.description()).isEqualTo(200);
            Map<?, ?> first = (Map<?, ?>) ((List<?>) answer.body().get("messages")).get(0);
            byte[] encoded = ((Binary) first.get("message")).asByteArray();
            assertThat(Messages.decode(encoded).data()).hasSize(MESSAGE_BYTES);
        }
    }

    @Test
    @DisplayName("SESS-15: a session state of 20 MB is set and read, on PREMIUM")
    void sessionState() throws Exception {
        byte[] state = new byte[STATE_BYTES];
        new Random(42).nextBytes(state);
        try (ServerProcess server = server();
                AmqpClient client = new AmqpClient(1)) {
            ClientConnection connection = client.open(server.endpoint());
            AmqpClient.await(connection.sessionReceiver(SESSIONS, "one", 1, (link, message) -> {}));
            RequestLink management = AmqpClient.await(connection.management(SESSIONS));
            SessionStates.set(management, "one", state).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            byte[] read = SessionStates.get(management, "one").get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertThat(read).isEqualTo(state);
        }
    }

    private ServerProcess server() throws IOException, InterruptedException {
        Path config = ConfigFile.write(
                directory.resolve("config.json"),
                List.of(ConfigFile.queue(QUEUE, 10), ConfigFile.sessionQueue(SESSIONS, 10)),
                List.of());
        return ServerProcess.start(new ServerProcess.Options(directory.resolve("data"))
                .java("-Xmx512m")
                .server(ConfigFile.options(config))
                .server("--tier", "PREMIUM", "--premium-partitions", "1")
                .server("--limit", "maxMessageSizeBytes=" + (25 << 20)));
    }
}
