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

/** Every sync of the disk takes a fifth of a second, then two seconds, then no time again. */
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
    @DisplayName("MSG-1: a slow disk makes sends slow, loses none that was acknowledged, and stops nothing else")
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
            // What comes during a sync is committed by the next one: a hundred in flight make hundreds a second.
            await("sends are taken", () -> filler.acceptedCount() >= MESSAGES);
            long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
            System.out.printf(
                    "%d sends in %d ms while a sync takes %d ms%n", filler.acceptedCount(), took, SLOW.toMillis());
            assertThat(took).as("syncs are slow").isGreaterThan(2 * SLOW.toMillis());
            assertThat(took).as("ms for %d sends", MESSAGES).isLessThan(60_000);
            assertThat(server.health().statusCode()).isEqualTo(200);

            system.syncsTake(STALL);
            int before = filler.acceptedCount();
            await("a commit that stalls", () -> filler.acceptedCount() > before);
            // Several times, since the machine may stall as well. Who waited for the disk would wait for a commit each
            // time.
            await("health answers and a connection is open before a commit that stalls has ended", () -> {
                int during = filler.acceptedCount();
                assertThat(server.health().statusCode()).isEqualTo(200);
                client.open(server.endpoint()).close();
                return filler.acceptedCount() == during;
            });

            system.syncsTake(Duration.ZERO);
            int then = filler.acceptedCount();
            await("speed is back", () -> filler.acceptedCount() > then + 1_000);
            assertThat(filler.over()).as("no send was refused").isNotDone();
            system.syncsTake(SLOW);
            server.kill();
            await("the client knows", () -> connection.closed().isDone());
        }
        try (ServerProcess server = ServerProcess.start(options())) {
            BitSet found = new BitSet();
            for (ReceivedMessage message : Browse.all(server.endpoint(), QUEUE)) {
                found.set(Integer.parseInt(String.valueOf(message.messageId())));
            }
            BitSet lost = (BitSet) filler.accepted().clone();
            lost.andNot(found);
            assertThat(lost).as("acknowledged and lost").isEqualTo(new BitSet());
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
