package dev.jitney.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.support.Browse;
import dev.jitney.crash.support.Eventually;
import dev.jitney.crash.support.Filler;
import dev.jitney.crash.support.Interposed;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.ReceivedMessage;
import dev.jitney.testing.client.SenderLink;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test in which every sync of the disk takes a fifth of a second, then two seconds, then the normal time. */
final class SlowDiskTest {
    private static final String QUEUE = "slow";
    private static final Duration SLOW = Duration.ofMillis(200);
    private static final Duration STALL = Duration.ofSeconds(2);
    private static final int IN_FLIGHT = 100;
    private static final int MESSAGES = Integer.getInteger("jitney.slow.messages", 400);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path directory;

    @Test
    @DisplayName("MSG-1: a slow disk slows down sends, loses no acknowledged message, and blocks nothing else")
    void slow() throws Exception {
        Interposed system = Interposed.compile(directory);
        Filler filler = new Filler(500, IN_FLIGHT, Integer.MAX_VALUE / 2);
        try (ServerProcess server = ServerProcess.start(system.around(options()));
                AmqpClient client = new AmqpClient(1)) {
            ClientConnection connection = client.open(server.endpoint());
            SenderLink link = AmqpClient.await(connection.sender(QUEUE, filler));
            system.syncsTake(SLOW);
            long began = System.nanoTime();
            connection.execute(() -> filler.ready(link));
            // Messages that arrive during a sync are in the next commit, so 100 messages in flight result in hundreds
            // of sends per second.
            await("all messages are accepted", () -> filler.acceptedCount() >= MESSAGES);
            long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
            System.out.printf(
                    "%d sends in %d ms while a sync takes %d ms%n", filler.acceptedCount(), took, SLOW.toMillis());
            assertThat(took).as("milliseconds with slow syncs").isGreaterThan(2 * SLOW.toMillis());
            assertThat(took).as("ms for %d sends", MESSAGES).isLessThan(60_000);
            assertThat(server.health().statusCode()).isEqualTo(200);

            system.syncsTake(STALL);
            int before = filler.acceptedCount();
            await("a send during slow commits", () -> filler.acceptedCount() > before);
            // The check is repeated because the machine may stall as well. A request that waits for the disk would wait
            // for a commit each time.
            await("health replies and a connection opens before a slow commit has ended", () -> {
                int during = filler.acceptedCount();
                assertThat(server.health().statusCode()).isEqualTo(200);
                client.open(server.endpoint()).close();
                return filler.acceptedCount() == during;
            });

            system.syncsTake(Duration.ZERO);
            int then = filler.acceptedCount();
            await("sends are fast again", () -> filler.acceptedCount() > then + 1_000);
            assertThat(filler.over())
                    .as("the end of the sends without a rejection")
                    .isNotDone();
            system.syncsTake(SLOW);
            server.kill();
            await(
                    "the client notices the end of the connection",
                    () -> connection.closed().isDone());
        }
        try (ServerProcess server = ServerProcess.start(options())) {
            BitSet found = new BitSet();
            for (ReceivedMessage message : Browse.all(server.endpoint(), QUEUE)) {
                found.set(Integer.parseInt(String.valueOf(message.messageId())));
            }
            BitSet lost = (BitSet) filler.accepted().clone();
            lost.andNot(found);
            assertThat(lost).as("messages acknowledged and lost").isEqualTo(new BitSet());
        }
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        Eventually.until(what, PATIENCE, condition);
    }

    private ServerProcess.Options options() throws IOException {
        Path config =
                ConfigFile.write(directory.resolve("config.json"), List.of(ConfigFile.queue(QUEUE, 10)), List.of());
        return new ServerProcess.Options(directory.resolve("data"))
                .java("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .server(ConfigFile.options(config));
    }
}
