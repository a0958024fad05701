package dev.jitney.crash.mixed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.kill.Chains;
import dev.jitney.crash.support.Browse;
import dev.jitney.crash.support.Eventually;
import dev.jitney.crash.support.StoredRows;
import dev.jitney.crash.support.Take;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import dev.jitney.testing.client.Administration;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.Endpoint;
import dev.jitney.testing.process.ConfigFile;
import dev.jitney.testing.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} of a server with two stores that does everything at once for clients of the official SDK: a queue and a
 * partitioned one with messages sent alone, together, for later, and settled in every way; duplicate detection; a topic with
 * filters; forwarding over queues of both stores, out of a subscription, and of dead letters; sessions with state, also
 * partitioned; transactions over queues of both stores, some rolled back. The SDK recovers by itself from every kill.
 *
 * <p>What must hold, whatever the moment of a kill:
 *
 * <ul>
 *   <li>A message whose send returned is there at least once until somebody settles it. It is there once if the call met no
 *       kill, and at most once more for each kill it met, since the SDK sends again what it has no answer to; exactly once
 *       always if the entity detects duplicates. A send that failed has stored it at most as often, and perhaps not at all.
 *       Messages of one call are there equally often, in every subscription that takes them.
 *   <li>A copy, known by its sequence number, is where the last answered settlement left it. If a settlement failed, it is
 *       where it was or where it was to go. What is completed with an answer never comes again; what was forwarded is there once.
 *   <li>A lock that a killed server gave settles nothing afterwards (STATE-4).
 *   <li>What one sender sent first has the smaller sequence number, on the other side of forwards, too; sessions come in order
 *       without gaps, and to one receiver at a time, with the state last set.
 *   <li>A transaction has happened as a whole if its commit returned, not at all if it was rolled back, and in one of these
 *       ways if it failed.
 *   <li>Bodies, properties and keys are those that were sent; nothing comes before its scheduled time, or if its schedule was
 *       cancelled in time.
 * </ul>
 *
 * <p>Deliveries are judged when they come. Every {@value #ROUNDS_BETWEEN_BOOKS} kills and at the end everything is taken out,
 * what is missing is found, the books are closed, and other clients take over, so that a test of any length needs little memory.
 *
 * <p>{@code -Djitney.crash.mixed.rounds=N} kills more often, {@code -Djitney.crash.seed=S} repeats the choices of a run.
 */
final class MixedKillTest {
    private static final int ROUNDS = Integer.getInteger("jitney.crash.mixed.rounds", 3);
    private static final long SEED = Long.getLong("jitney.crash.seed", System.nanoTime());
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** What a client has let go of without a word comes again when its lock ends. */
    private static final Duration DRAIN_PATIENCE = MixedReceiving.LOCK_DURATION.plus(PATIENCE);

    /** Messages; fewer prove little. The last round goes on until there are so many, however slow the machine is. */
    private static final long ENOUGH = ROUNDS * 50L;

    private static final int ROUNDS_BETWEEN_BOOKS = 20;
    private static final int ROUNDS_BETWEEN_LINES = 10;

    @TempDir
    Path directory;

    private final Random random = new Random(SEED);
    private final Kills kills = new Kills();
    private final long begunNanos = System.nanoTime();
    private ServerProcess.Options options;
    private ServerProcess server;
    private MixedClients clients;
    private int killsWhileStarting;

    @BeforeEach
    void start() throws Exception {
        List<String> arguments =
                new ArrayList<>(List.of(ConfigFile.options(MixedPlan.write(directory.resolve("config.json")))));
        arguments.addAll(List.of("--stores", String.valueOf(MixedPlan.STORES)));
        options = new ServerProcess.Options(data())
                .java("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .server(arguments.toArray(String[]::new));
        server = ServerProcess.start(options);
        Endpoint endpoint = server.endpoint();
        options.ports(endpoint.port(), server.httpPort());
        clients = new MixedClients(
                "Endpoint=sb://localhost:" + endpoint.port() + ";SharedAccessKeyName=" + endpoint.ruleName()
                        + ";SharedAccessKey=" + endpoint.key() + ";UseDevelopmentEmulator=true;",
                kills,
                random);
        clients.start();
    }

    @AfterEach
    void stop() throws Exception {
        clients.close();
        server.close();
    }

    @Test
    @DisplayName(
            "MSG-1, STATE-2, STATE-4, FWD-8, SESS-16, TX-12, DUP-2: over kills with everything at work nothing that was"
                    + " acknowledged is lost, and nothing that was completed comes back")
    void nothingIsLostAndNothingComesBack() throws Exception {
        System.out.printf("%d kills, seed %d%n", ROUNDS, SEED);
        for (int round = 1; round <= ROUNDS; round++) {
            work();
            if (round == ROUNDS) {
                eventually("enough messages", PATIENCE, () -> clients.sent() > ENOUGH);
            }
            kill();
            check("round " + round);
            boolean booksAreClosed = round % ROUNDS_BETWEEN_BOOKS == 0;
            if (booksAreClosed || round == ROUNDS) {
                clients.holdNothing();
            }
            restart();
            if (booksAreClosed && round < ROUNDS) {
                compare("round " + round);
                clients = clients.renew();
                clients.start();
            }
            if (round % ROUNDS_BETWEEN_LINES == 0) {
                tell(round);
            }
        }
        compare("the last round");
        tell(ROUNDS);
        assertThat(clients.sent()).as("messages").isGreaterThan(ENOUGH);
        assertThat(server.terminate()).as("exit status after SIGTERM").isZero();
        checkRows();
    }

    /** Most rounds let all clients get on first, some kill in the middle of their recovery. */
    private void work() throws Exception {
        if (random.nextInt(6) == 0) {
            pause(random.nextInt(500));
            return;
        }
        int[] before = clients.progress();
        eventually("everybody gets on", PATIENCE, () -> {
            int[] now = clients.progress();
            return IntStream.range(0, now.length).allMatch(i -> now[i] > before[i]);
        });
        pause(200 + random.nextInt(1_800));
    }

    private void kill() throws InterruptedException {
        clients.endHolds();
        kills.kill(server);
        clients.endHolds();
        server.close();
    }

    private void restart() throws IOException, InterruptedException {
        if (random.nextInt(6) == 0) {
            server = ServerProcess.launch(options);
            pause(random.nextInt(1_500));
            kill();
            killsWhileStarting++;
        }
        server = ServerProcess.start(options);
    }

    /** Takes out everything, and sees whether it was what it should have been. Nothing is sent afterwards. */
    private void compare(String when) throws Exception {
        clients.drain();
        Administration administration = new Administration(server.endpoint(), server.httpPort());
        for (String place : MixedPlan.places()) {
            eventually("an empty " + place, DRAIN_PATIENCE, () -> {
                check("draining after " + when);
                return count(administration, place, "MessageCount") == 0;
            });
        }
        String balance = MixedPlan.LEDGERS.get(0);
        eventually("everything has left", PATIENCE, () -> count(administration, balance, "TransferMessageCount") == 0);
        clients.closeBooks();
        Chains chains = clients.chains();
        long[] found = chains.compare(Browse.all(server.endpoint(), balance));
        for (String notes : MixedPlan.LEDGERS.subList(1, MixedPlan.LEDGERS.size())) {
            chains.compareNotes(notes, found, Take.from(server.endpoint(), notes, chains.expectedNotes(found)));
            assertThat(count(administration, notes, "MessageCount")).as(notes).isZero();
        }
        check("draining after " + when);
        chains.taken(found);
    }

    private static long count(Administration administration, String place, String what) throws Exception {
        return Administration.number(AmqpClient.await(administration.get(place)), what);
    }

    private void eventually(String what, Duration patience, Callable<Boolean> condition) throws Exception {
        try {
            Eventually.until(what, patience, condition);
        } catch (AssertionError e) {
            throw new AssertionError("Seed " + SEED + ": " + e.getMessage() + clients.failures(), e);
        }
    }

    private static void pause(int millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private void check(String when) {
        assertThat(clients.complaints()).as("seed %d, after %s", SEED, when).isEmpty();
    }

    /** Nothing is left in any store but the messages the chains stand at. */
    private void checkRows() throws StoreException {
        int messages = 0;
        for (int i = 0; i < MixedPlan.STORES; i++) {
            try (StoredRows rows = StoredRows.open(data(), i)) {
                assertThat(rows.complaints()).as("seed %d, store %d", SEED, i).isEmpty();
                messages += rows.counts(Table.MESSAGES).get(Table.MESSAGES);
                assertThat(rows.counts(Table.BODIES, Table.BODY_RELEASES, Table.TRANSFERS, Table.TIMERS)
                                .entrySet())
                        .as("seed %d, rows of store %d after everything was taken out", SEED, i)
                        .allMatch(count -> count.getValue() == 0);
                assertThat(rows.entities())
                        .as("entities of store %d", i)
                        .containsAnyElementsOf(MixedPlan.CHAIN)
                        .containsAnyElementsOf(MixedPlan.LEDGERS);
            }
        }
        assertThat(messages).isEqualTo(clients.chains().count());
    }

    private void tell(int round) {
        System.out.printf(
                "%d kills (%d more while starting), %d messages sent, %d deliveries, %d commits, %d rollbacks, %.0f s%n",
                round,
                killsWhileStarting,
                clients.sent(),
                clients.received(),
                clients.chains().commits(),
                clients.chains().rollbacks(),
                (System.nanoTime() - begunNanos) / 1e9);
    }

    private Path data() {
        return directory.resolve("data");
    }
}
