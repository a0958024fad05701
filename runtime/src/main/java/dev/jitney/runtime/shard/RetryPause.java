package dev.jitney.runtime.shard;

/**
 * Decides when to retry a store that has failed: the first times at once, then after pauses. The pauses grow while the
 * store can be opened but commits no batch, or only some, because each attempt reads all entities again for nothing.
 * For the shard's thread.
 */
final class RetryPause {
    /** The pause after a failed attempt to open the store. Such an attempt is cheap. */
    static final long PAUSE_MS = 250;

    /** The longest pause, and so the longest delay until a repaired disk is noticed. */
    static final long PAUSE_MAX_MS = 8_000;

    /**
     * The number of failures within {@link #WINDOW_MS} that are retried at once, if the store commits batches in
     * between.
     */
    private static final int TRIES_AT_ONCE = 3;

    private static final long WINDOW_MS = 10_000;

    private long triedMs;
    private long nextMs;

    /** The pause after the next failure of the open store, milliseconds. */
    private long pauseMs;

    private boolean committed;
    private long windowStartMs;
    private int failures;

    /** Notes that the open store has failed. */
    void failed(long nowMs) {
        if (nowMs < windowStartMs || nowMs - windowStartMs >= WINDOW_MS) {
            windowStartMs = nowMs;
            failures = 0;
        }
        failures++;
        if (committed && failures <= TRIES_AT_ONCE) {
            pauseMs = 0;
        }
        committed = false;
        triedMs = nowMs;
        nextMs = nowMs + pauseMs;
        pauseMs = Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MS, 2 * pauseMs));
    }

    /** Notes that the store could not be opened. */
    void notOpened(long nowMs) {
        triedMs = nowMs;
        nextMs = nowMs + PAUSE_MS;
    }

    /** Notes that the store has committed a batch. */
    void committed() {
        committed = true;
    }

    /** Returns whether a retry is due. A clock that was set back does not delay it. */
    boolean isOver(long nowMs) {
        return nowMs >= nextMs || nowMs < triedMs;
    }

    /** Returns the time of the next retry, milliseconds since the epoch. */
    long endMs() {
        return nextMs;
    }
}
