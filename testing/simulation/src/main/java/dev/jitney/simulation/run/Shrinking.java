package dev.jitney.simulation.run;

import dev.jitney.simulation.Violation;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Leaves events out of a history that fails as long as it goes on failing, larger pieces first. */
public final class Shrinking {
    private final long seed;
    private final long endNanos;
    private Violation last;

    private Shrinking(long seed, long secondsMax, Violation first) {
        this.seed = seed;
        this.endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(secondsMax);
        this.last = first;
    }

    /**
     * A history that fails and cannot be made shorter by leaving out any one event, as far as time allows.
     *
     * @param events their numbers, ascending
     * @param violation what it was that has failed
     */
    public record Minimal(int[] events, Violation violation) {}

    /**
     * @param eventCount how many events of the seed fail together
     * @param secondsMax how long to try
     */
    public static Minimal shrink(long seed, int eventCount, long secondsMax, Violation first) {
        int[] all = new int[eventCount];
        Arrays.setAll(all, i -> i);
        return new Shrinking(seed, secondsMax, first).shrink(all);
    }

    private Minimal shrink(int[] all) {
        int[] events = cutTail(all);
        for (int size = events.length / 2; size > 0; size = Math.min(size / 2, events.length)) {
            boolean shrunk = true;
            while (shrunk && System.nanoTime() < endNanos) {
                shrunk = false;
                for (int from = events.length - size; from > -size && System.nanoTime() < endNanos; from -= size) {
                    int[] fewer = without(events, Math.max(0, from), from + size);
                    if (fewer.length < events.length && fails(fewer) != null) {
                        events = fewer;
                        shrunk = true;
                    }
                }
                shrunk &= size == 1;
            }
        }
        return new Minimal(events, last);
    }

    /** By halves, because what comes after the failure does not matter. */
    private int[] cutTail(int[] all) {
        int works = 0;
        int fails = all.length;
        while (fails - works > 1) {
            int middle = (works + fails) >>> 1;
            if (fails(Arrays.copyOf(all, middle)) != null) {
                fails = middle;
            } else {
                works = middle;
            }
        }
        return Arrays.copyOf(all, fails);
    }

    private static int[] without(int[] events, int from, int to) {
        int[] fewer = new int[events.length - (to - from)];
        System.arraycopy(events, 0, fewer, 0, from);
        System.arraycopy(events, to, fewer, from, events.length - to);
        return fewer;
    }

    private @Nullable Violation fails(int[] events) {
        Violation violation = Simulation.violation(seed, events);
        if (violation != null) {
            last = violation;
        }
        return violation;
    }
}
