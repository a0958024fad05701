package dev.jitney.comparison.scenario;

import dev.jitney.benchmarks.load.BenchPlan;
import dev.jitney.benchmarks.load.Mode;
import dev.jitney.benchmarks.load.Routes;
import dev.jitney.testing.client.Settling;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The plans of the scenarios: one message per transfer, one disposition per message. Receivers settle
 * ({@code rcv-settle-mode} first), because every broker supports that. A send counts when the broker has accepted it.
 */
final class Plans {
    static final int BODY_BYTES = 1_024;
    private static final int LINKS = 2;
    private static final int IN_FLIGHT = 1_000;
    private static final int MAX_BACKLOG = 5_000;

    private Plans() {}

    /**
     * Returns a plan for both directions at the same time, as fast as possible.
     *
     * @param inFlight unsettled sends of a sender, and credit of a receiver
     * @param maxBacklog number of messages sent and not yet received at which senders wait
     */
    static BenchPlan both(Routes routes, Links links, int bodyBytes, int inFlight, int maxBacklog, Sizes sizes) {
        return new BenchPlan(
                Mode.BOTH,
                routes,
                Settling.BY_RECEIVER,
                Map.of(),
                links.connections(),
                links.senders(),
                links.receivers(),
                bodyBytes,
                0,
                TimeUnit.SECONDS.toMillis(sizes.seconds()),
                TimeUnit.SECONDS.toMillis(sizes.warmUpSeconds()),
                0,
                inFlight,
                maxBacklog);
    }

    /**
     * The numbers of connections and links.
     *
     * @param connections number of connections; links are distributed over them
     */
    record Links(int connections, int senders, int receivers) {
        /** Returns one sender and one receiver for each connection. */
        static Links of(int connections) {
            return new Links(connections, connections, connections);
        }
    }

    /** Returns a plan for both directions at the same time through one queue, without a warm-up. */
    static BenchPlan bothOf(String queue, int seconds) {
        return new BenchPlan(
                Mode.BOTH,
                Routes.of(List.of(queue)),
                Settling.BY_RECEIVER,
                Map.of(),
                LINKS,
                LINKS,
                LINKS,
                BODY_BYTES,
                0,
                TimeUnit.SECONDS.toMillis(seconds),
                0,
                0,
                IN_FLIGHT,
                MAX_BACKLOG);
    }

    /** Returns a plan that sends a number of messages to a queue, or receives them. */
    static BenchPlan counted(Mode mode, String queue, long count) {
        return new BenchPlan(
                mode,
                Routes.of(List.of(queue)),
                Settling.BY_RECEIVER,
                Map.of(),
                LINKS,
                LINKS,
                LINKS,
                BODY_BYTES,
                count,
                Trial.patienceMs(),
                0,
                0,
                IN_FLIGHT,
                MAX_BACKLOG);
    }

    /** Returns a plan for both directions at a rate. */
    static BenchPlan paced(String queue, double rate, Sizes sizes) {
        return new BenchPlan(
                Mode.LATENCY,
                Routes.of(List.of(queue)),
                Settling.BY_RECEIVER,
                Map.of(),
                LINKS,
                LINKS,
                LINKS,
                BODY_BYTES,
                0,
                TimeUnit.SECONDS.toMillis(sizes.seconds()),
                TimeUnit.SECONDS.toMillis(sizes.warmUpSeconds()),
                rate,
                IN_FLIGHT,
                MAX_BACKLOG);
    }
}
