package dev.jitney.crash.forward;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.forward.Description.Kind;
import dev.jitney.crash.forward.Route.Forwards;
import dev.jitney.crash.forward.Route.Place;
import dev.jitney.crash.forward.Route.Station;
import dev.jitney.crash.forward.RouteLedger.Seen;
import dev.jitney.crash.support.Browse;
import dev.jitney.crash.support.Eventually;
import dev.jitney.crash.support.StoredRows;
import dev.jitney.crash.support.Take;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import dev.jitney.testing.client.Administration;
import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.ReceivedMessage;
import dev.jitney.testing.process.ServerProcess;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test that kills servers with {@code kill -9} during forwarding. The routes are chains of queues in three stores, a
 * topic, dead-letter messages, and a circle. Some of their entities are disabled, deleted and created again. Afterwards
 * each accepted message must be in exactly one place.
 *
 * <p>{@code -Djitney.crash.rounds=N} sets the number of kills, {@code -Djitney.crash.seed=S} repeats the choices of a
 * run.
 */
final class ForwardKillTest {
    private static final int ROUNDS = Integer.getInteger("jitney.crash.rounds", 3);
    private static final long SEED = Long.getLong("jitney.crash.seed", System.nanoTime());
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /**
     * The minimum number of accepted messages on each route; fewer prove little. The last round continues until they
     * are sent.
     */
    private static final int ENOUGH = ROUNDS * 20;

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int EXISTS = 409;

    @TempDir
    Path directory;

    private final Random random = new Random(SEED);
    private final Map<Route, RouteLedger> ledgers = new LinkedHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private int changes;

    @Test
    @DisplayName("FWD-8, STATE-2, DLQ-29, DLQ-30: after kills, a forwarded message is in one place and in order")
    void atOnePlace() throws Exception {
        ForwardPlan.routes().forEach(route -> ledgers.put(route, new RouteLedger(route)));
        for (int round = 0; round < ROUNDS; round++) {
            try (ServerProcess server = ServerProcess.start(options())) {
                if (round == 0) {
                    create(administration(server));
                } else {
                    compare(server, random.nextBoolean());
                }
                workAndKill(server, round == ROUNDS - 1);
            }
            assertNoComplaints("round " + round);
        }
        try (ServerProcess server = ServerProcess.start(options())) {
            compare(server, true);
            compare(server, true);
            assertThat(ledgers.values()).allMatch(ledger -> ledger.size() == 0);
            assertThat(server.terminate()).as("exit status after SIGTERM").isZero();
        }
        checkRows();
        tell();
    }

    private void create(Administration administration) throws AmqpException, InterruptedException {
        // The first half of a circle.
        AmqpClient.await(administration.create("c1", Description.queue().element("Active")));
        for (Station station : ForwardPlan.stations(List.copyOf(ledgers.keySet()))) {
            String description = station.description().element("Active");
            HttpResponse<String> answer = AmqpClient.await(administration.create(station.path(), description));
            if (answer.statusCode() == EXISTS) {
                answer = AmqpClient.await(administration.update(station.path(), description));
            }
            assertThat(answer.statusCode()).as(answer.body()).isIn(OK, CREATED);
        }
    }

    private void workAndKill(ServerProcess server, boolean isLast) throws Exception {
        Administration administration = administration(server);
        boolean there = exists(administration, ForwardPlan.FLEETING);
        try (ForwardWorkload work =
                new ForwardWorkload(ledgers, server.endpoint(), administration, numbers, there, random.nextLong())) {
            work.receive();
            work.send();
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50 + random.nextInt(1_000));
            long latest = deadline + PATIENCE.toNanos();
            while (System.nanoTime() < deadline || isLast && !isEnough() && System.nanoTime() < latest) {
                if (random.nextInt(4) == 0) {
                    changes += work.change();
                }
                LockSupport.parkNanos(TICK_NANOS);
            }
            if (random.nextBoolean()) {
                changes += work.change();
                LockSupport.parkNanos(random.nextInt(3) * TICK_NANOS / 10);
            }
            server.kill();
            work.awaitEnd();
        }
    }

    /**
     * Compares the ledgers with the messages of the server.
     *
     * @param drain whether to receive and delete all messages
     */
    private void compare(ServerProcess server, boolean drain) throws Exception {
        Administration administration = administration(server);
        for (Map.Entry<Route, RouteLedger> each : ledgers.entrySet()) {
            for (Station station : each.getKey().stations()) {
                if (List.of(ForwardPlan.HALTED, ForwardPlan.CLOSED, ForwardPlan.TOMB)
                        .contains(station.path())) {
                    String active = station.description().element("Active");
                    assertThat(AmqpClient.await(administration.update(station.path(), active))
                                    .statusCode())
                            .isEqualTo(OK);
                }
            }
        }
        try (AmqpClient client = new AmqpClient(1)) {
            ClientConnection connection = client.open(server.endpoint());
            for (Map.Entry<Route, RouteLedger> each : ledgers.entrySet()) {
                compare(each.getKey(), each.getValue(), administration, connection, drain);
            }
        }
        assertNoComplaints("a restart");
    }

    private static void compare(
            Route route, RouteLedger ledger, Administration administration, ClientConnection connection, boolean drain)
            throws Exception {
        for (Station station : route.stations()) {
            awaitQuiet(station, administration);
        }
        List<Seen> found = new ArrayList<>();
        Map<String, Integer> byPlace = new LinkedHashMap<>();
        for (Place place : route.places()) {
            if (place.address().equals(ForwardPlan.FLEETING) && !exists(administration, place.address())) {
                continue;
            }
            List<ReceivedMessage> there = Browse.all(connection, place.address());
            there.forEach(message -> found.add(ForwardWorkload.seen(message, place.address())));
            byPlace.put(place.address(), there.size());
        }
        ledger.compare(found);
        compareCounts(route, ledger, byPlace, administration);
        if (drain) {
            for (Map.Entry<String, Integer> place : byPlace.entrySet()) {
                Take.from(connection, place.getKey(), place.getValue())
                        .forEach(message -> ledger.taken(String.valueOf(message.messageId())));
            }
        }
    }

    /** Waits until all messages are forwarded that can be. */
    private static void awaitQuiet(Station station, Administration administration) throws Exception {
        if (station.forwards() == Forwards.NOTHING) {
            return;
        }
        String waiting = station.forwards() == Forwards.MESSAGES ? "ActiveMessageCount" : "DeadLetterMessageCount";
        Eventually.until("all messages have left " + station.path(), PATIENCE, () -> {
            HttpResponse<String> answer = AmqpClient.await(administration.get(station.path()));
            return Administration.number(answer, waiting) == 0
                    && Administration.number(answer, "TransferMessageCount") == 0;
        });
    }

    /** Checks that the counters equal the visible messages (STATE-3). */
    private static void compareCounts(
            Route route, RouteLedger ledger, Map<String, Integer> byPlace, Administration administration)
            throws Exception {
        Map<String, Integer> expected = new HashMap<>();
        for (Station station : route.stations()) {
            if (station.description().kind() != Kind.TOPIC) {
                expected.put(station.path(), 0);
            }
        }
        byPlace.forEach((place, count) -> {
            int subQueue = place.indexOf("/$");
            expected.merge(subQueue < 0 ? place : place.substring(0, subQueue), count, Integer::sum);
        });
        for (Map.Entry<String, Integer> each : expected.entrySet()) {
            if (each.getKey().equals(ForwardPlan.FLEETING) && !byPlace.containsKey(each.getKey())) {
                continue;
            }
            long counted = Administration.number(AmqpClient.await(administration.get(each.getKey())), "MessageCount");
            if (counted != each.getValue()) {
                ledger.trouble("expected " + each.getValue() + " messages in the counter of " + each.getKey()
                        + ", but got " + counted);
            }
        }
    }

    private void assertNoComplaints(String when) {
        assertThat(ledgers.values().stream().flatMap(ledger -> ledger.complaints().stream()))
                .as("seed %d, after %s", SEED, when)
                .isEmpty();
    }

    /** Checks that the stores contain no messages, and that the long chain was in all of them. */
    private void checkRows() throws StoreException {
        for (int i = 0; i < ForwardPlan.STORES; i++) {
            try (StoredRows rows = StoredRows.open(data(), i)) {
                assertThat(rows.counts(Table.MESSAGES, Table.MESSAGE_STATES, Table.BODIES, Table.TRANSFERS)
                                .entrySet())
                        .as("seed %d, rows of store %d after all messages were received", SEED, i)
                        .allMatch(count -> count.getValue() == 0);
                assertThat(rows.entities()).as("entities of store %d", i).containsAnyElementsOf(ForwardPlan.LONG_CHAIN);
            }
        }
    }

    private void tell() {
        int accepted = ledgers.values().stream().mapToInt(RouteLedger::accepted).sum();
        System.out.printf("%d kills, seed %d: %d messages accepted, %d changes;", ROUNDS, SEED, accepted, changes);
        ledgers.forEach((route, ledger) -> System.out.printf(
                " %s %d (%d in dead-letter queues)", route.name(), ledger.accepted(), ledger.detours()));
        System.out.println();
        assertThat(isEnough()).as("enough messages on each route").isTrue();
    }

    private boolean isEnough() {
        return ledgers.values().stream().allMatch(ledger -> ledger.accepted() > ENOUGH);
    }

    private static boolean exists(Administration administration, String queue) throws Exception {
        HttpResponse<String> answer = AmqpClient.await(administration.get(queue));
        return answer.statusCode() == OK && answer.body().contains("<QueueDescription");
    }

    private static Administration administration(ServerProcess server) {
        return new Administration(server.endpoint(), server.httpPort());
    }

    private Path data() {
        return directory.resolve("data");
    }

    private ServerProcess.Options options() {
        return new ServerProcess.Options(data())
                .java("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .server("--stores", String.valueOf(ForwardPlan.STORES));
    }
}
