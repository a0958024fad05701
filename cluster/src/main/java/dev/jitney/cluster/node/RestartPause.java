package dev.jitney.cluster.node;

/**
 * Decides when a node that has stopped taking part tries again (CL-42): the first times at once, then after pauses that grow
 * up to {@value #PAUSE_MAX_MS} ms, because a fault may stay. Not thread-safe.
 */
final class RestartPause {
    static final long PAUSE_MS = 250;
    static final long PAUSE_MAX_MS = 8_000;

    private static final int TRIES_AT_ONCE = 3;
    private static final long WINDOW_MS = 10_000;

    private long windowStartMs;
    private int failures;
    private long pauseMs;
    private long nextMs;

    /** @param nowMs the time, on a clock that does not run back */
    RestartPause(long nowMs) {
        windowStartMs = nowMs;
        nextMs = nowMs;
    }

    /** Notes that the node has stopped, or could not start. */
    void failed(long nowMs) {
        if (nowMs - windowStartMs >= WINDOW_MS + pauseMs) {
            windowStartMs = nowMs;
            failures = 0;
            pauseMs = 0;
        }
        failures++;
        if (failures > TRIES_AT_ONCE) {
            pauseMs = Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MS, 2 * pauseMs));
            windowStartMs = nowMs;
        }
        nextMs = nowMs + pauseMs;
    }

    /** Returns whether the node should try again. */
    boolean isOver(long nowMs) {
        return nowMs - nextMs >= 0;
    }
}
