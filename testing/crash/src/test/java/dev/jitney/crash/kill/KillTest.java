package dev.jitney.crash.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.support.Browse;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test that kills the server with {@code kill -9} at random times, starts it again with the same data, and compares
 * it with the client's ledger.
 */
final class KillTest {
    private static final int ROUNDS = Integer.getInteger("jitney.crash.rounds", 12);
    private static final long SEED = Long.getLong("jitney.crash.seed", System.nanoTime());
    private static final int MAX_DELIVERY_COUNT = 3;
    private static final String QUEUE = "crash";
    private static final long TIDY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /**
     * The minimum number of replies; fewer prove little. The last round continues until they arrive, also on a slow
     * machine.
     */
    private static final int ENOUGH = ROUNDS * 100;

    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);

    @TempDir
    Path directory;

    @Test
    @DisplayName(
            "MSG-1, STATE-2, STATE-4: after kill -9 no acknowledged message is lost and no removed message is delivered again")
    void survivesBeingKilledAtAnyMoment() throws Exception {
        Random random = new Random(SEED);
        Ledger ledger = new Ledger(MAX_DELIVERY_COUNT);
        Path config = ConfigFile.write(
                directory.resolve("config.json"), List.of(ConfigFile.queue(QUEUE, MAX_DELIVERY_COUNT)), List.of());
        for (int round = 0; round < ROUNDS; round++) {
            if (random.nextInt(4) == 0) {
                killWhileStarting(config, random.nextInt(1_500));
            }
            try (ServerProcess server = ServerProcess.start(options(config))) {
                if (round > 0) {
                    compare(ledger, server.endpoint(), round);
                }
                workAndKill(ledger, server, random, round == ROUNDS - 1);
            }
            assertThat(ledger.complaints()).as("seed %d, round %d", SEED, round).isEmpty();
        }
        try (ServerProcess server = ServerProcess.start(options(config))) {
            compare(ledger, server.endpoint(), ROUNDS);
            assertThat(server.terminate()).as("exit status after SIGTERM").isZero();
        }
        System.out.printf(
                "%d rounds, seed %d: %d answers, %d messages left%n", ROUNDS, SEED, ledger.confirmed(), ledger.size());
        assertThat(ledger.confirmed()).as("answers").isGreaterThan(ENOUGH);
    }

    private void killWhileStarting(Path config, int afterMs) throws IOException, InterruptedException {
        try (ServerProcess server = ServerProcess.launch(options(config))) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(afterMs));
            server.kill();
        }
    }

    private static void workAndKill(Ledger ledger, ServerProcess server, Random random, boolean isLast)
            throws Exception {
        try (Workload workload = new Workload(ledger, server.endpoint(), QUEUE, random.nextLong())) {
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50 + random.nextInt(2_000));
            long latest = deadline + PATIENCE_NANOS;
            while (System.nanoTime() < deadline
                    || isLast && ledger.confirmed() <= ENOUGH && System.nanoTime() < latest) {
                workload.tidy();
                LockSupport.parkNanos(TIDY_NANOS);
            }
            server.kill();
            workload.awaitEnd();
        }
    }

    private static void compare(Ledger ledger, Endpoint endpoint, int round) throws Exception {
        ledger.compare(Browse.all(endpoint, QUEUE), Browse.all(endpoint, QUEUE + "/$DeadLetterQueue"));
        assertThat(ledger.complaints())
                .as("seed %d, after the restart of round %d", SEED, round)
                .isEmpty();
    }

    private ServerProcess.Options options(Path config) {
        return new ServerProcess.Options(directory.resolve("data"))
                .java("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .server(ConfigFile.options(config));
    }
}
