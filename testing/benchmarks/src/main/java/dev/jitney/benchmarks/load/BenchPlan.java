package dev.jitney.benchmarks.load;

import dev.jitney.testing.client.Settling;
import java.util.Map;

/**
 * What one run is to do.
 *
 * @param routes where messages go and where they come from
 * @param settling how receivers settle
 * @param properties application properties of every message
 * @param count how many messages to move after the warm-up, 0 for as many as fit {@code durationMs}
 * @param durationMs how long to measure; with a count, the longest that is waited
 * @param warmUpMs how long to move messages before measuring, 0 with a count
 * @param rate messages per second of {@link Mode#LATENCY}
 * @param inFlight sends of a link without an answer, and credit of a receiving link
 * @param maxBacklog messages sent and not completed yet at which senders wait, in {@link Mode#BOTH}
 */
public record BenchPlan(
        Mode mode,
        Routes routes,
        Settling settling,
        Map<String, Object> properties,
        int connections,
        int senders,
        int receivers,
        int sizeBytes,
        long count,
        long durationMs,
        long warmUpMs,
        double rate,
        int inFlight,
        long maxBacklog) {}
