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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test that kills a server with two stores by {@code kill -9} while clients of the official SDK use all features at
 * once:
 * <ul>
 * <li>a queue and a partitioned queue, with single messages, batches and scheduled messages, settled in every way
 * <li>duplicate detection
 * <li>a topic with filters
 * <li>forwarding over queues of both stores, from a subscription, and of dead-letter messages
 * <li>sessions with state, also partitioned
 * <li>transactions over queues of both stores, some of them rolled back
 * </ul>
 * The SDK recovers from every kill without help.
 *
 * <p>These rules must hold for a kill at any time:
 * <ul>
 * <li>A message whose send returned is stored at least once until a client settles it. It is stored once if the call
 *     overlaps no kill, and at most once more for each overlapping kill, because the SDK sends again without a reply.
 *     It is stored exactly once if the entity detects duplicates. A failed send stores it at most as often, or not at
 *     all. All messages of a call are stored equally often in each subscription that selects them.
 * <li>A copy has its own sequence number. It is where the last confirmed settlement put it. After a failed settlement
 *     it is in its old or its new place. A message with a confirmed completion is never delivered again, and a
 *     forwarded message exists once.
 * <li>A lock of a killed server settles nothing afterwards (STATE-4).
 * <li>Messages of one sender have increasing sequence numbers, also after forwarding. Session messages are delivered in
 *     order without gaps, to one receiver at a time, with the last state.
 * <li>A transaction takes effect as a whole if its commit returned, and not at all if it was rolled back. After a
 *     failure, either is possible.
 * <li>Bodies, properties and keys are unchanged. No message arrives before its scheduled time, or after its schedule
 *     was canceled in time.
 * </ul>
 *
 * <p>Deliveries are checked when they arrive. Every {@value #ROUNDS_BETWEEN_BOOKS} kills and at the end, all queues are
 * drained, missing messages are reported, and new clients take over. So a test of any length needs little memory.
 *
 * <p>{@code -Djitney.crash.mixed.rounds=N} sets the number of kills, {@code -Djitney.crash.seed=S} repeats the choices
 * of a run.
 */
@Tag("alone")
final class MixedKillTest {
    private static final int ROUNDS = Integer.getInteger("jitney.crash.mixed.rounds", 3);
    private static final long SEED = Long.getLong("jitney.crash.seed", System.nanoTime());
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** The time limit for a drain. A message that a client abandoned silently is delivered again when its lock ends. */
    private static final Duration DRAIN_PATIENCE = MixedReceiving.LOCK_DURATION.plus(PATIENCE);

    /**
     * The minimum number of messages; fewer prove little. The last round continues until they are sent, also on a slow
     * machine.
     */
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
                .keepPorts()
                .java("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .server(arguments.toArray(String[]::new));
        server = ServerProcess.start(options);
        Endpoint endpoint = server.endpoint();
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
            "MSG-1, STATE-2, STATE-4, FWD-8, SESS-16, TX-12, DUP-2: after kills with all features in use, no acknowledged"
                    + " message is lost, and no completed message is delivered again")
    void nothingIsLostAndNothingComesBack() throws Exception {
        System.out.printf("%d kills, seed %d%n", ROUNDS, SEED);
        for (int round = 1; round <= ROUNDS; round++) {
            work();
            if (round == ROUNDS) {
                eventually(
                        "all clients have sent more than " + ENOUGH + " messages",
                        PATIENCE,
                        () -> clients.sent() > ENOUGH);
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

    /** Waits between kills. In most rounds all clients make progress first; some kills happen during their recovery. */
    private void work() throws Exception {
        if (random.nextInt(6) == 0) {
            pause(random.nextInt(500));
            return;
        }
        int[] before = clients.progress();
        eventually("all clients make progress", PATIENCE, () -> {
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

    /** Drains all queues and checks the received messages. Messages are not sent during the comparison. */
    private void compare(String when) throws Exception {
        clients.drain();
        Administration administration = new Administration(server.endpoint(), server.httpPort());
        for (String place : MixedPlan.places()) {
            eventually("'" + place + "' is empty", DRAIN_PATIENCE, () -> {
                check("draining after " + when);
                return count(administration, place, "MessageCount") == 0;
            });
        }
        String balance = MixedPlan.LEDGERS.get(0);
        eventually(
                "all messages have left the outboxes",
                PATIENCE,
                () -> count(administration, balance, "TransferMessageCount") == 0);
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

    /** Checks that the stores contain only the messages of the chains. */
    private void checkRows() throws StoreException {
        int messages = 0;
        for (int i = 0; i < MixedPlan.STORES; i++) {
            try (StoredRows rows = StoredRows.open(data(), i)) {
                assertThat(rows.complaints()).as("seed %d, store %d", SEED, i).isEmpty();
                messages += rows.counts(Table.MESSAGES).get(Table.MESSAGES);
                assertThat(rows.counts(Table.BODIES, Table.BODY_RELEASES, Table.TRANSFERS, Table.TIMERS)
                                .entrySet())
                        .as("seed %d, rows of store %d after all messages were received", SEED, i)
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
                "%d kills (and %d during starts), %d messages sent, %d deliveries, %d commits, %d rollbacks, %.0f s%n",
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
