package dev.jitney.benchmarks.load;

import dev.jitney.testing.client.Settling;
import java.util.Map;

/**
 * The plan of one run.
 *
 * @param routes the entities that messages are sent to and received from
 * @param settling how receivers settle
 * @param properties application properties of every message
 * @param count number of messages to move after the warm-up, 0 for as many as fit {@code durationMs}
 * @param durationMs time to measure; with a count, the longest time to wait
 * @param warmUpMs time to move messages before measuring, 0 with a count
 * @param rate messages per second of {@link Mode#LATENCY}
 * @param inFlight unsettled sends of a sending link, and credit of a receiving link
 * @param maxBacklog number of messages sent and not yet completed at which senders wait, in {@link Mode#BOTH}
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
