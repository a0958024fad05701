package dev.jitney.crash.greedy;

import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The result of an attack.
 *
 * @param alive whether the server runs
 * @param slowestMs the slowest round trip of the well-behaved client in milliseconds
 * @param trips the number of its round trips
 * @param refusals the number of its sends that were rejected because the server was busy
 * @param failure the failure of the well-behaved client, or null
 * @param newcomerMs how long a client needed that connected during the attack, in milliseconds
 * @param complaint another violation, or null
 * @param heap the used bytes of the heap at the end of the attack, if known
 * @param claimed the memory claimed by clients at that time, by purpose, as the server reports it
 * @param afterwards the memory claimed after the attackers were closed
 * @param crowd the results of the attackers
 */
record Verdict(
        String attack,
        boolean alive,
        long slowestMs,
        long trips,
        long refusals,
        @Nullable String failure,
        long newcomerMs,
        @Nullable String complaint,
        OptionalDouble heap,
        Map<String, Long> claimed,
        Map<String, Long> afterwards,
        String crowd,
        long millis) {
    /** The maximum time of a round trip of the well-behaved client, and of all that a newcomer does, in milliseconds. */
    static final long SLOWEST_MS = 5_000;

    boolean isGood() {
        return alive && failure == null && complaint == null && slowestMs <= SLOWEST_MS && newcomerMs <= SLOWEST_MS;
    }

    @Override
    public String toString() {
        StringBuilder line =
                new StringBuilder(isGood() ? "ok    " : "WRONG ").append(attack).append(": ");
        line.append(alive ? "server alive" : "SERVER ENDED");
        line.append(", slowest of %,d round trips %,d ms".formatted(trips, slowestMs));
        line.append(", newcomer %,d ms".formatted(newcomerMs));
        if (refusals > 0) {
            line.append(", %,d of its sends rejected as busy".formatted(refusals));
        }
        if (failure != null) {
            line.append(", the well-behaved client failed: ").append(failure);
        }
        if (complaint != null) {
            line.append(", ").append(complaint);
        }
        if (alive && heap.isEmpty()) {
            line.append(", no reply to the request for metrics");
        }
        heap.ifPresent(bytes -> line.append(", heap %,d MB".formatted((long) bytes >> 20)));
        if (!claimed.isEmpty()) {
            line.append(", claimed ").append(claimed).append(", afterwards ").append(afterwards);
        }
        return line.append("; ")
                .append(crowd)
                .append("; %.1f s".formatted(millis / 1000.0))
                .toString();
    }
}
