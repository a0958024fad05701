package dev.jitney.core.idle;

import java.util.ArrayList;
import java.util.List;

/**
 * The times when a shard did not run or could not use its store. They do not count as idle time of its entities
 * (IDLE-14). Immutable.
 *
 * @param all ordered by time, without overlaps; at most {@link #COUNT_MAX}
 */
public record Downtimes(List<Downtime> all) {

    /**
     * The maximum number of downtimes. If there are more, the two oldest are merged including the time between them, so
     * that no entity is deleted too early.
     */
    public static final int COUNT_MAX = 64;

    public static final Downtimes NONE = new Downtimes(List.of());

    /**
     * A downtime, in milliseconds since the epoch.
     *
     * @param fromMs inclusive
     * @param untilMs exclusive, larger
     */
    public record Downtime(long fromMs, long untilMs) {
        public Downtime {
            if (fromMs >= untilMs) {
                throw new IllegalArgumentException("Expected a time after " + fromMs + ", but got " + untilMs + ".");
            }
        }
    }

    public Downtimes {
        all = List.copyOf(all);
        if (all.size() > COUNT_MAX) {
            throw new IllegalArgumentException(
                    "Expected at most " + COUNT_MAX + " downtimes, but got" + " " + all.size() + ".");
        }
        for (int i = 1; i < all.size(); i++) {
            if (all.get(i).fromMs < all.get(i - 1).untilMs) {
                throw new IllegalArgumentException("Expected downtimes in the order of time, but got " + all + ".");
            }
        }
    }

    /**
     * Returns these downtimes with one more. Downtimes that touch or overlap it, for example after the clock was set
     * back, are merged with it, so that no time counts twice.
     *
     * @param fromMs inclusive
     * @param untilMs exclusive; if it is not larger, nothing is added
     */
    public Downtimes and(long fromMs, long untilMs) {
        if (fromMs >= untilMs) {
            return this;
        }
        List<Downtime> more = new ArrayList<>();
        List<Downtime> later = new ArrayList<>();
        long startMs = fromMs;
        long endMs = untilMs;
        for (Downtime one : all) {
            if (one.untilMs < fromMs) {
                more.add(one);
            } else if (one.fromMs > untilMs) {
                later.add(one);
            } else {
                startMs = Math.min(startMs, one.fromMs);
                endMs = Math.max(endMs, one.untilMs);
            }
        }
        more.add(new Downtime(startMs, endMs));
        more.addAll(later);
        if (more.size() > COUNT_MAX) {
            Downtime oldest = more.remove(0);
            more.set(0, new Downtime(oldest.fromMs, more.get(0).untilMs));
        }
        return new Downtimes(more);
    }

    /** Returns these downtimes without the ones that ended at a time or before it. */
    public Downtimes after(long timeMs) {
        if (all.isEmpty() || all.get(0).untilMs > timeMs) {
            return this;
        }
        return new Downtimes(all.stream().filter(one -> one.untilMs > timeMs).toList());
    }

    /** Returns the end of a duration that began at a time, if downtime does not count towards it; milliseconds. */
    public long end(long sinceMs, long durationMs) {
        long endMs = saturatedSum(sinceMs, durationMs);
        for (Downtime one : all) {
            if (one.fromMs >= endMs) {
                break;
            }
            if (one.untilMs > sinceMs) {
                endMs = saturatedSum(endMs, one.untilMs - Math.max(one.fromMs, sinceMs));
            }
        }
        return endMs;
    }

    private static long saturatedSum(long a, long b) {
        long sum = a + b;
        return sum < a ? Long.MAX_VALUE : sum;
    }
}
