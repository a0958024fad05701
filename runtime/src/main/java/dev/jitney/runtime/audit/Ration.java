package dev.jitney.runtime.audit;

/**
 * The ration of entries that any client can cause, so that they cannot push changes out of the trail: some at once, and then one after
 * each interval. It counts the others. Not thread-safe.
 */
final class Ration {
    private final int atOnce;
    private final long everyMs;
    private long free;
    private long freedAtMs;
    private long leftOut;

    Ration(int atOnce, long everyMs) {
        this.atOnce = atOnce;
        this.everyMs = everyMs;
        this.free = atOnce;
    }

    /** Returns whether there may be an entry now, and counts a missing one otherwise. */
    boolean take(long nowMs) {
        long passed = nowMs - freedAtMs;
        if (passed < 0 || passed >= everyMs) { // the clock may have been set back
            free = Math.min(atOnce, free + Math.max(0, passed / everyMs));
            freedAtMs = nowMs;
        }
        if (free == 0) {
            leftOut++;
            return false;
        }
        free--;
        return true;
    }

    /** Returns the number of missing entries. */
    long leftOut() {
        return leftOut;
    }

    /** Changes the number of missing entries. */
    void add(long count) {
        leftOut += count;
    }
}
