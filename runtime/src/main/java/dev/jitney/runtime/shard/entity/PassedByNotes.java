package dev.jitney.runtime.shard.entity;

/**
 * Tells when the dead-letters of an entity that its destination did not take are tried again (FWD-12): all of them in order of their
 * numbers, in steps, then after a pause that grows. However many they are, these few numbers are all that memory has of
 * them. For the shard's thread.
 */
public final class PassedByNotes {
    static final long PAUSE_MIN_MS = 1_000;
    static final long PAUSE_MAX_MS = 30_000;

    /** So many at most are tried per millisecond on average, because a million that stay may not occupy the shard. */
    private static final long TRIES_PER_MS = 1;

    private long pauseMs;

    /** {@link Long#MAX_VALUE} if they are being tried, or there are none. */
    private long againAtMs = Long.MAX_VALUE;

    /** Where the next step begins while they are being tried, else {@link Long#MAX_VALUE}. */
    private long next = Long.MAX_VALUE;

    /** The first of those that were not taken this time. */
    private long staysFrom = Long.MAX_VALUE;

    private long tried;
    private boolean taken;

    /** Whether one of them may be taken later. */
    private boolean again;

    /** When they are tried again, {@link Long#MAX_VALUE} if nothing is to be waited for. */
    public long againAtMs() {
        return againAtMs;
    }

    /** Whether there is something to try now. */
    public boolean isDue(long nowMs) {
        return next != Long.MAX_VALUE || againAtMs <= nowMs;
    }

    /** Where to look now; to be called when due. */
    public long next(long passedByFrom) {
        if (next == Long.MAX_VALUE) {
            againAtMs = Long.MAX_VALUE;
            next = passedByFrom;
            staysFrom = Long.MAX_VALUE;
            tried = 0;
            taken = false;
            again = false;
        }
        return next;
    }

    /** One was passed by, for the first time or again. */
    public void passed(long number, long nowMs) {
        stays(number);
        again = true;
        if (next == Long.MAX_VALUE && againAtMs == Long.MAX_VALUE) {
            againAtMs = nowMs + PAUSE_MIN_MS;
        }
    }

    /** One was passed by that no destination will ever take (FWD-9). */
    public void stays(long number) {
        staysFrom = Math.min(staysFrom, number);
    }

    /** One of those that were passed by was taken. */
    public void taken() {
        taken = true;
    }

    /**
     * A step has come to its end.
     *
     * @param from where the next one begins, {@link Long#MAX_VALUE} if all were tried
     * @param rows how many dead-letters it looked at
     * @return the first that was not taken, {@link Long#MAX_VALUE} if there is none, or -1 if not all were tried
     */
    public long stepped(long from, int rows, long nowMs) {
        next = from;
        tried += rows;
        if (from != Long.MAX_VALUE) {
            return -1;
        }
        pauseMs = taken ? PAUSE_MIN_MS : Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MIN_MS, pauseMs * 2));
        againAtMs = again ? nowMs + Math.max(pauseMs, tried / TRIES_PER_MS) : Long.MAX_VALUE;
        return staysFrom;
    }
}
