package dev.jitney.benchmarks.bench;

/**
 * What one run is to do.
 *
 * @param count how many messages to move after the warm-up, 0 for as many as fit {@code durationMs}
 * @param durationMs how long to measure; with a count, the longest that is waited
 * @param warmUpMs how long to move messages before measuring, 0 with a count
 * @param rate messages per second of {@link Mode#LATENCY}
 * @param inFlight sends of a link without an answer, and credit of a receiving link
 * @param maxBacklog messages sent and not completed yet at which senders wait, in {@link Mode#BOTH}
 */
record BenchPlan(
        Mode mode,
        String queue,
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
