package dev.jitney.crash.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.support.Browse;
import dev.jitney.crash.support.Eventually;
import dev.jitney.testing.client.ReceivedMessage;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test with senders that repeat all messages after each {@code kill -9}, because they do not know which were stored.
 * With duplicate detection, each message must be stored exactly once.
 */
final class DuplicateKillTest {
    private static final int ROUNDS = Integer.getInteger("jitney.crash.rounds", 12);
    private static final long SEED = Long.getLong("jitney.crash.seed", System.nanoTime());
    private static final String QUEUE = "once";
    private static final int NEW_PER_ROUND_MAX = 1_500;

    /**
     * The minimum number of ids; fewer prove little. The last round continues until they are sent, also on a slow
     * machine.
     */
    private static final int ENOUGH = ROUNDS * 20;

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path directory;

    @Test
    @DisplayName("DUP-2, DUP-11, MSG-1: messages sent again after kill -9 are stored exactly once")
    void storedExactlyOnce() throws Exception {
        Random random = new Random(SEED);
        Resending sent = new Resending();
        Path config = ConfigFile.write(
                directory.resolve("config.json"), List.of(ConfigFile.detectingQueue(QUEUE)), List.of());
        for (int round = 0; round < ROUNDS; round++) {
            try (ServerProcess server = ServerProcess.start(options(config))) {
                sent.begin(server.endpoint(), QUEUE, NEW_PER_ROUND_MAX);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50 + random.nextInt(1_500)));
                if (round == ROUNDS - 1) {
                    Eventually.until(
                            "the sender has more than " + ENOUGH + " ids", PATIENCE, () -> sent.count() > ENOUGH);
                }
                server.kill();
                sent.end();
            }
            assertThat(sent.refused()).as("seed %d, round %d", SEED, round).isEmpty();
        }
        try (ServerProcess server = ServerProcess.start(options(config))) {
            sent.begin(server.endpoint(), QUEUE, 0);
            sent.awaitAllAccepted();
            compare(sent, Browse.all(server.endpoint(), QUEUE));
            assertThat(server.terminate()).as("exit status after SIGTERM").isZero();
            sent.end();
        }
        System.out.printf("%d rounds, seed %d: %d ids, %d answers%n", ROUNDS, SEED, sent.count(), sent.accepted());
        assertThat(sent.count()).as("ids").isGreaterThan(ENOUGH);
    }

    private static void compare(Resending sent, List<ReceivedMessage> stored) {
        Set<String> ids = new HashSet<>();
        for (ReceivedMessage message : stored) {
            assertThat(ids.add(String.valueOf(message.messageId())))
                    .as("seed %d: %s is stored once", SEED, message.messageId())
                    .isTrue();
        }
        assertThat(ids).as("seed %d", SEED).isEqualTo(sent.ids());
    }

    private ServerProcess.Options options(Path config) {
        return new ServerProcess.Options(directory.resolve("data"))
                .java("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .server(ConfigFile.options(config));
    }
}
