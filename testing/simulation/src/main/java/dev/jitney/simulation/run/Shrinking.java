package dev.jitney.simulation.run;

import dev.jitney.simulation.Violation;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A search for the shortest failing history. It leaves out events while the history still fails, larger pieces first. */
public final class Shrinking {
    private final long seed;
    private final StoreKind kind;
    private final long endNanos;
    private Violation last;

    private Shrinking(long seed, StoreKind kind, long secondsMax, Violation first) {
        this.seed = seed;
        this.kind = kind;
        this.endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(secondsMax);
        this.last = first;
    }

    /**
     * A failing history that passes if any single event is left out, unless the time was too short.
     *
     * @param events the numbers of its events, ascending
     * @param violation the violation that it ends with
     */
    public record Minimal(int[] events, Violation violation) {}

    /**
     * Shrinks the failing history of a seed.
     *
     * @param eventCount the number of events of the seed after which the history fails
     * @param secondsMax the time limit in seconds
     */
    public static Minimal shrink(long seed, StoreKind kind, int eventCount, long secondsMax, Violation first) {
        int[] all = new int[eventCount];
        Arrays.setAll(all, i -> i);
        return new Shrinking(seed, kind, secondsMax, first).shrink(all);
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

    /** Cuts off the events after the failure by binary search, because they do not affect it. */
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
        Violation violation = Simulation.violation(seed, kind, events);
        if (violation != null) {
            last = violation;
        }
        return violation;
    }
}
