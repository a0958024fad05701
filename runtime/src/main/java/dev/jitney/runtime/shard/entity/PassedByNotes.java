package dev.jitney.runtime.shard.entity;

/**
 * Schedules retries of an entity's dead-letters that the destination has refused (FWD-12). All of them are retried in
 * order of their numbers, in steps, then again after a growing pause. Memory use does not depend on the number of
 * dead-letters. For the shard's thread.
 */
public final class PassedByNotes {
    static final long PAUSE_MIN_MS = 1_000;
    static final long PAUSE_MAX_MS = 30_000;

    /**
     * The limit of retries per millisecond on average, because a million refused dead-letters must not occupy the
     * shard.
     */
    private static final long TRIES_PER_MS = 1;

    private long pauseMs;

    /** The time of the next round, or {@link Long#MAX_VALUE} during a round and if there is nothing to retry. */
    private long againAtMs = Long.MAX_VALUE;

    /** The start of the next step during a round, otherwise {@link Long#MAX_VALUE}. */
    private long next = Long.MAX_VALUE;

    /** The first dead-letter refused in this round. */
    private long staysFrom = Long.MAX_VALUE;

    private long tried;
    private boolean taken;

    /** True if one of the refused dead-letters may be accepted later. */
    private boolean again;

    /** Returns the time of the next round, or {@link Long#MAX_VALUE}. */
    public long againAtMs() {
        return againAtMs;
    }

    /** Returns whether there is something to retry now. */
    public boolean isDue(long nowMs) {
        return next != Long.MAX_VALUE || againAtMs <= nowMs;
    }

    /** Returns the number at which the next step begins. To be called when due. */
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

    /** Notes that the destination refused a dead-letter, for the first time or again. */
    public void passed(long number, long nowMs) {
        stays(number);
        again = true;
        if (next == Long.MAX_VALUE && againAtMs == Long.MAX_VALUE) {
            againAtMs = nowMs + PAUSE_MIN_MS;
        }
    }

    /** Notes a dead-letter that no destination will ever accept (FWD-9). */
    public void stays(long number) {
        staysFrom = Math.min(staysFrom, number);
    }

    /** Notes that the destination accepted a dead-letter it had refused before. */
    public void taken() {
        taken = true;
    }

    /**
     * Ends a step.
     *
     * @param from the start of the next step, {@link Long#MAX_VALUE} if the round is complete
     * @param rows the number of dead-letters that the step read
     * @return the first dead-letter still refused, {@link Long#MAX_VALUE} if there is none, or -1 if the round is not
     *     complete
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
