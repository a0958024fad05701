package dev.jitney.runtime.shard;

/**
 * Tells when a store that has failed is tried again: at once at first, then after pauses. They grow as long as the store can be opened
 * but takes no batch, or only some, because each time all entities are read anew for nothing. For the shard's thread.
 */
final class RetryPause {
    /** After an attempt to open the store that failed, which costs little. */
    static final long PAUSE_MS = 250;

    /** A disk that is in order again is noticed so late at most. */
    static final long PAUSE_MAX_MS = 8_000;

    /** How often a store may fail in {@link #WINDOW_MS} and be tried again at once, if it takes batches in between. */
    private static final int TRIES_AT_ONCE = 3;

    private static final long WINDOW_MS = 10_000;

    private long triedMs;
    private long nextMs;

    /** How long to wait after the next failure at work. */
    private long pauseMs;

    private boolean committed;
    private long windowStartMs;
    private int failures;

    /** The store was open and has failed. */
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

    /** The store could not be opened. */
    void notOpened(long nowMs) {
        triedMs = nowMs;
        nextMs = nowMs + PAUSE_MS;
    }

    /** The store has taken a batch. */
    void committed() {
        committed = true;
    }

    /** Whether it is time to try; a clock that was set back does not count. */
    boolean isOver(long nowMs) {
        return nowMs >= nextMs || nowMs < triedMs;
    }

    /** When it is time to try, milliseconds since the epoch. */
    long endMs() {
        return nextMs;
    }
}
