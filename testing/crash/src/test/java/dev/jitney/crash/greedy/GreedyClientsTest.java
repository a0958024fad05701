package dev.jitney.crash.greedy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of all known ways to claim memory, one after the other, while a client works that must not be affected
 * (QUOTA-8).
 */
@Tag("alone")
final class GreedyClientsTest {
    private static final Pattern ONLY = Pattern.compile(System.getProperty("jitney.greedy.only", ""));
    private static final long ATTACK_MS = 15_000;
    /**
     * The time limit for the release of memory in milliseconds. The end of a connection that is not read is not
     * noticed; a connection without a token is closed after 20 s.
     */
    private static final long GIVE_BACK_MS = 25_000;
    /** The limit for memory claimed by connections that are still open, in bytes. */
    private static final long CLAIMED_BYTES_LEFT = 1 << 20;

    @TempDir
    Path directory;

    private final List<Verdict> verdicts = new ArrayList<>();
    private @Nullable AttackedServer arena;
    private @Nullable WellBehavedClient bystander;

    @AfterEach
    void end() throws Exception {
        stop();
    }

    @Test
    @DisplayName("QUOTA-8: no way of claiming memory ends the process or slows down a well-behaved client")
    void nobodyTakesTheMemoryOfOthers() throws Exception {
        List<Attack> attacks = new ArrayList<>();
        attacks.addAll(UnauthenticatedAttacks.all());
        attacks.addAll(HttpAttacks.all());
        attacks.addAll(ClaimAttacks.all());
        attacks.addAll(AnswerAttacks.all());
        attacks.removeIf(attack -> !ONLY.matcher(attack.name()).find());
        for (Attack attack : attacks) {
            Verdict verdict = look(attack);
            System.out.println(verdict);
            verdicts.add(verdict);
            if (!verdict.alive() || verdict.failure() != null) {
                tell();
                // The next attack gets a new server.
                stop();
            }
        }
        assertThat(verdicts.stream().filter(verdict -> !verdict.isGood()))
                .as("attacks with an effect")
                .isEmpty();
    }

    /** Prints the server's errors and metrics, for the analysis of a failure. */
    private void tell() throws InterruptedException {
        if (arena != null) {
            System.out.println(arena.server().errors());
            if (arena.server().isAlive()) {
                System.out.println(MetricsPage.of(arena.httpPort()).about(AttackedServer.MINE));
            }
        }
    }

    private void start() throws Exception {
        Path own = Files.createTempDirectory(directory, "server");
        AttackedServer started = AttackedServer.start(own);
        arena = started;
        Stock.send(started.endpoint(), AttackedServer.LARGE, 10, Stock.LARGE_BYTES);
        Stock.send(started.endpoint(), AttackedServer.SMALL, 15_000, 800);
        bystander = new WellBehavedClient(started.endpoint());
    }

    private void stop() throws Exception {
        if (bystander != null) {
            bystander.close();
            bystander = null;
        }
        if (arena != null) {
            arena.close();
            arena = null;
        }
    }

    private Verdict look(Attack attack) throws Exception {
        if (arena == null) {
            start();
        }
        AttackedServer now = arena;
        WellBehavedClient client = bystander;
        long began = System.nanoTime();
        client.forget();
        String complaint = null;
        long newcomerMs = 0;
        MetricsPage page;
        String told;
        try (GreedyClients crowd = new GreedyClients();
                HeapHistogram histogram = new HeapHistogram(now.server().pid())) {
            try {
                attack.plan().add(now, crowd);
                crowd.run(ATTACK_MS, attack.workMs(), client::trips);
                if (crowd.isUnanswered()) {
                    complaint = "the server replied to none of the attackers, so the attack did not happen";
                }
                page = MetricsPage.of(now.httpPort());
                newcomerMs = Newcomer.visit(now);
                if (now.server().isAlive()) {
                    attack.check().look(now, crowd);
                }
            } catch (Exception | AssertionError e) {
                complaint = e.toString().replaceAll("\\s+", " ");
                page = new MetricsPage(List.of());
            }
            told = crowd.toString();
        }
        client.finishTrip();
        Map<String, Long> afterwards = Map.of();
        if (now.server().isAlive()) {
            afterwards = awaitGivenBack(now);
            long left = afterwards.values().stream().mapToLong(Long::longValue).sum();
            if (left > CLAIMED_BYTES_LEFT && complaint == null) {
                complaint = "%,d bytes were not released".formatted(left);
            }
        }
        return new Verdict(
                attack.name(),
                now.server().isAlive(),
                client.slowestMs(),
                client.trips(),
                client.refusals(),
                client.failure(),
                newcomerMs,
                complaint,
                page.heapBytes(),
                page.claimed(),
                afterwards,
                told,
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
    }

    /** Waits until the server has noticed the end of the attackers. Returns the memory they still claim, by purpose. */
    private static Map<String, Long> awaitGivenBack(AttackedServer arena) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(GIVE_BACK_MS);
        while (true) {
            MetricsPage page = MetricsPage.of(arena.httpPort());
            long claimed =
                    page.claimed().values().stream().mapToLong(Long::longValue).sum();
            boolean gone = page.sum("jitney_amqp_sockets").orElse(100) < 10;
            if ((gone && claimed <= CLAIMED_BYTES_LEFT)
                    || System.nanoTime() > deadline
                    || !arena.server().isAlive()) {
                return page.claimed();
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }
}
