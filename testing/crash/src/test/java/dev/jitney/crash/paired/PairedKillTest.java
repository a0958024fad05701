package dev.jitney.crash.paired;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.support.Eventually;
import dev.jitney.paired.MessagingFactory;
import dev.jitney.paired.PathState;
import dev.jitney.paired.SendAvailabilityPairedNamespaceOptions;
import dev.jitney.paired.Syphon;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test that kills servers with {@code kill -9} under load from the library for paired namespaces. It kills a primary,
 * its secondary while it replaces the primary, and a primary to which a syphon returns messages. The first round has
 * all three kills, later rounds the first and perhaps the others.
 *
 * <p>{@code -Djitney.paired.rounds=N} sets the number of rounds, {@code -Djitney.crash.seed=S} repeats the choices of a
 * run.
 */
final class PairedKillTest {
    private static final int ROUNDS = Integer.getInteger("jitney.paired.rounds", 1);
    private static final long SEED = Long.getLong("jitney.crash.seed", System.nanoTime());
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    /** The entities of senders, with the places where messages arrive. */
    private static final Map<String, String> ENTITIES = new LinkedHashMap<>(
            Map.of("plain", "plain", "sessions", "sessions", "once", "once", "topic", "topic/Subscriptions/all"));

    @TempDir
    Path directory;

    private final Random random = new Random(SEED);
    private final Map<String, PairedArrivals> arrivals = new LinkedHashMap<>();
    private final List<MessagingFactory> factories = new ArrayList<>();
    private PairedServers servers;
    private Map<String, PairedLedger> ledgers = new LinkedHashMap<>();
    private int succeeded;
    private int failed;
    private int copies;
    private long syphoned;

    @BeforeEach
    void start() throws Exception {
        servers = new PairedServers(directory);
        ENTITIES.forEach((entity, place) -> arrivals.put(entity, new PairedArrivals(place)));
    }

    @AfterEach
    void stop() {
        factories.forEach(MessagingFactory::close);
        servers.close();
    }

    @Test
    @DisplayName(
            "PAIR-1, PAIR-15, PAIR-39, PAIR-42, PAIR-43, PAIR-51: after kills of both brokers, each message sent with"
                    + " success arrives unchanged, and twice only if a kill overlaps its send")
    void everyMessageArrives() throws Exception {
        MessagingFactory senders = pair(Duration.ZERO, true);
        MessagingFactory patient = pair(Duration.ofSeconds(1), false);
        SendAvailabilityPairedNamespaceOptions other =
                options(keep(servers.secondary().factory().build()), Duration.ZERO, false);
        try (Syphon second = Syphon.start(keep(servers.primaryFactory().build()), other)) {
            for (int round = 0; round < ROUNDS; round++) {
                round(round, List.of(senders, patient));
            }
            syphoned = senders.syphon().figures().delivered() + second.figures().delivered();
        }
        tell();
    }

    private MessagingFactory pair(Duration failover, boolean syphon) {
        MessagingFactory primary = keep(servers.primaryFactory().build());
        primary.pairNamespace(options(keep(servers.secondary().factory().build()), failover, syphon));
        assertThat(primary.backlogQueueCount()).isEqualTo(PairedServers.BACKLOG_QUEUES);
        return primary;
    }

    private static SendAvailabilityPairedNamespaceOptions options(
            MessagingFactory secondary, Duration failover, boolean syphon) {
        return SendAvailabilityPairedNamespaceOptions.builder(secondary)
                .backlogQueueCount(PairedServers.BACKLOG_QUEUES)
                .failoverInterval(failover)
                .pingPrimaryInterval(Duration.ofSeconds(1))
                .enableSyphon(syphon)
                .build();
    }

    private MessagingFactory keep(MessagingFactory factory) {
        factories.add(factory);
        return factory;
    }

    private void round(int round, List<MessagingFactory> primaries) throws Exception {
        Instant begin = Instant.now();
        ledgers = new LinkedHashMap<>();
        for (String entity : ENTITIES.keySet()) {
            ledgers.put(
                    entity,
                    new PairedLedger(
                            new PairedMessages(entity + "-" + round, entity.equals("sessions"), begin),
                            entity.equals("once")));
        }
        try (PairedLoad load = new PairedLoad()) {
            ledgers.forEach(
                    (entity, ledger) -> load.send(primaries.get(entity.equals("plain") ? 1 : 0), entity, ledger));
            load.send(primaries.get(0), "plain", ledgers.get("plain"));
            work(load, 100);
            kill(servers.primary());
            awaitFailover(primaries);
            work(load, 80);
            if (round == 0 || random.nextBoolean()) {
                ledgers.values().forEach(PairedLedger::disturbSyphon);
                servers.secondary().kill();
                work(load, 0);
                calm();
                servers.secondary().restart();
                work(load, 80);
            }
            servers.primary().restart();
            if (round == 0 || random.nextBoolean()) {
                awaitHealthy(primaries);
                ledgers.values().forEach(PairedLedger::disturbSyphon);
                servers.primary().kill();
                calm();
                awaitFailover(primaries);
                servers.primary().restart();
            }
            awaitHealthy(primaries);
            work(load, 40);
            load.close();
            failed += load.failures();
        }
        awaitArrivals();
        for (String entity : ENTITIES.keySet()) {
            PairedLedger ledger = ledgers.get(entity);
            arrivals.get(entity).look(servers.primary().connectionString(), ledger::arrived);
            assertThat(ledger.complaints())
                    .as("seed %d, round %d, %s", SEED, round, entity)
                    .isEmpty();
            succeeded += ledger.succeeded();
            copies += ledger.copies();
        }
    }

    /** Waits until the given number of additional calls have succeeded, and a short time more. */
    private void work(PairedLoad load, int calls) throws Exception {
        int goal = load.successes() + calls;
        try {
            Eventually.until("the senders make progress", PATIENCE, () -> load.successes() >= goal);
        } catch (AssertionError e) {
            throw new AssertionError(
                    "%d calls succeeded, %d failed".formatted(load.successes(), load.failures()), load.lastFailure());
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(300)));
    }

    private void kill(PairedServers.Broker broker) throws InterruptedException {
        ledgers.values().forEach(PairedLedger::disturb);
        broker.kill();
        calm();
    }

    private void calm() {
        ledgers.values().forEach(PairedLedger::calm);
    }

    private static void awaitFailover(List<MessagingFactory> primaries) throws Exception {
        Eventually.until(
                "all entities have failed over",
                PATIENCE,
                () -> ENTITIES.keySet().stream()
                                .allMatch(entity -> primaries.get(0).state(entity) == PathState.FAILED_OVER)
                        && primaries.get(1).state("plain") == PathState.FAILED_OVER);
    }

    private static void awaitHealthy(List<MessagingFactory> primaries) throws Exception {
        Eventually.until(
                "all entities are restored",
                PATIENCE,
                () -> ENTITIES.keySet().stream()
                        .allMatch(entity -> primaries.stream().allMatch(p -> p.state(entity) == PathState.HEALTHY)));
    }

    private void awaitArrivals() throws Exception {
        Eventually.until("the backlog queues are empty", PATIENCE, () -> servers.backlog() == 0);
        for (String entity : ENTITIES.keySet()) {
            Eventually.until(
                    "all scheduled messages are enqueued",
                    PATIENCE,
                    () -> servers.primary().count(entity, "ScheduledMessageCount") == 0);
        }
    }

    private void tell() {
        System.out.printf(
                "%d rounds, seed %d: %d messages sent with success, %d calls failed, %d messages syphoned, %d copies%n",
                ROUNDS, SEED, succeeded, failed, syphoned, copies);
        assertThat(syphoned).as("syphoned messages; fewer prove little").isGreaterThan(ROUNDS * 50L);
    }
}
