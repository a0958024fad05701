package dev.jitney.crash.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.support.Browse;
import dev.jitney.crash.support.Eventually;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test that kills the server with {@code kill -9} while sessions are in use. {@code -Djitney.crash.session.rounds=N}
 * sets the number of kills, {@code -Djitney.crash.seed=S} repeats the choices of a run.
 */
final class SessionKillTest {
    private static final int ROUNDS = Integer.getInteger("jitney.crash.session.rounds", 3);
    private static final long SEED = Long.getLong("jitney.crash.seed", System.nanoTime());
    private static final int SESSIONS = 20;
    private static final int RECEIVERS = 6;
    private static final int MAX_DELIVERY_COUNT = 2_000;
    private static final String QUEUE = "sessions";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /**
     * The minimum number of replies; fewer prove little. The last round continues until they arrive, also on a slow
     * machine.
     */
    private static final int ENOUGH = ROUNDS * 50;

    @TempDir
    Path directory;

    private final Random random = new Random(SEED);
    private final SessionLedger ledger = new SessionLedger(SESSIONS);

    @Test
    @DisplayName("SESS-7, SESS-16, STATE-2, STATE-4: after kill -9, sessions keep their messages, order and state")
    void survivesBeingKilledAtAnyMoment() throws Exception {
        Path config = ConfigFile.write(
                directory.resolve("config.json"),
                List.of(ConfigFile.sessionQueue(QUEUE, MAX_DELIVERY_COUNT)),
                List.of());
        for (int round = 0; round < ROUNDS; round++) {
            try (ServerProcess server = ServerProcess.start(options(config))) {
                compare(server, round);
                workAndKill(server, round == ROUNDS - 1);
            }
            check("round " + round);
        }
        try (ServerProcess server = ServerProcess.start(options(config))) {
            compare(server, ROUNDS);
            drain(server);
        }
        System.out.printf(
                "%d rounds, seed %d: %d answers, %d deliveries%n",
                ROUNDS, SEED, ledger.confirmed(), ledger.delivered());
        assertThat(ledger.confirmed()).as("answers").isGreaterThan(ENOUGH);
    }

    private void workAndKill(ServerProcess server, boolean isLast) throws Exception {
        try (SessionWorkload work =
                new SessionWorkload(ledger, SESSIONS, server.endpoint(), QUEUE, random.nextLong())) {
            work.send();
            work.receive(RECEIVERS);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200 + random.nextInt(3_000)));
            if (isLast) {
                Eventually.until(
                        "clients have more than " + ENOUGH + " replies", PATIENCE, () -> ledger.confirmed() > ENOUGH);
            }
            check("work");
            work.stop();
            server.kill();
            work.awaitEnd();
        }
    }

    private void compare(ServerProcess server, int round) throws Exception {
        ledger.compare(Browse.all(server.endpoint(), QUEUE));
        try (SessionWorkload work = new SessionWorkload(ledger, SESSIONS, server.endpoint(), QUEUE, 0)) {
            work.compareStates();
        }
        check("the restart of round " + round);
    }

    /** Receives all messages and checks that they are the messages of the ledger. */
    private void drain(ServerProcess server) throws Exception {
        try (SessionWorkload work =
                new SessionWorkload(ledger, SESSIONS, server.endpoint(), QUEUE, random.nextLong())) {
            work.receive(RECEIVERS);
            Eventually.until("all messages are received", PATIENCE, () -> {
                check("draining");
                return ledger.size() == 0;
            });
        }
        assertThat(Browse.all(server.endpoint(), QUEUE)).isEmpty();
        assertThat(Browse.all(server.endpoint(), QUEUE + "/$DeadLetterQueue")).isEmpty();
        check("the drain");
    }

    private void check(String when) {
        assertThat(ledger.complaints()).as("seed %d, after %s", SEED, when).isEmpty();
    }

    private ServerProcess.Options options(Path config) {
        return new ServerProcess.Options(directory.resolve("data"))
                .java("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .server(ConfigFile.options(config));
    }
}
