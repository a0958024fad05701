package dev.jitney.crash.greedy;

import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What came of an attack.
 *
 * @param alive whether the server runs
 * @param slowestMs the slowest round trip of the well-behaved client
 * @param trips how many there were
 * @param refusals how many of its sends were refused because the server was busy
 * @param failure why the well-behaved client does not work any more, or null
 * @param complaint what else is wrong, or null
 * @param heap used bytes of the heap at the end of the attack, as far as known
 * @param claimed what the server says that clients held then, by purpose
 * @param afterwards the same after the attackers were gone
 * @param crowd what became of the attackers
 */
record Verdict(
        String attack,
        boolean alive,
        long slowestMs,
        long trips,
        long refusals,
        @Nullable String failure,
        @Nullable String complaint,
        OptionalDouble heap,
        Map<String, Long> claimed,
        Map<String, Long> afterwards,
        String crowd,
        long millis) {
    /** A well-behaved client waits no longer. */
    static final long SLOWEST_MS = 5_000;

    boolean isGood() {
        return alive && failure == null && complaint == null && slowestMs <= SLOWEST_MS;
    }

    @Override
    public String toString() {
        StringBuilder line =
                new StringBuilder(isGood() ? "ok    " : "WRONG ").append(attack).append(": ");
        line.append(alive ? "server alive" : "SERVER ENDED");
        line.append(", slowest of %,d round trips %,d ms".formatted(trips, slowestMs));
        if (refusals > 0) {
            line.append(", %,d of its sends refused as busy".formatted(refusals));
        }
        if (failure != null) {
            line.append(", the well-behaved client failed: ").append(failure);
        }
        if (complaint != null) {
            line.append(", ").append(complaint);
        }
        if (alive && heap.isEmpty()) {
            line.append(", the metrics were not answered");
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
