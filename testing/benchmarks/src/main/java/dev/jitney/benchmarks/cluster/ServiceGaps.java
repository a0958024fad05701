package dev.jitney.benchmarks.cluster;

import java.util.concurrent.TimeUnit;

/** The times without service of one client, or of all of them: long pauses between two accepted sends. Thread-safe. */
final class ServiceGaps {
    private final long pauseNanos;
    private boolean counts;
    private long lastNanos;
    private long sumNanos;
    private long longestNanos;

    /** @param pauseMs the longest pause in milliseconds that is no time without service */
    ServiceGaps(long pauseMs) {
        pauseNanos = TimeUnit.MILLISECONDS.toNanos(pauseMs);
    }

    /** Begins to count. */
    synchronized void start(long nowNanos) {
        counts = true;
        lastNanos = nowNanos;
        sumNanos = 0;
        longestNanos = 0;
    }

    /** Records an accepted send. */
    synchronized void accepted(long nowNanos) {
        if (counts) {
            long pause = nowNanos - lastNanos;
            sumNanos += pause > pauseNanos ? pause : 0;
            longestNanos = Math.max(longestNanos, pause);
            lastNanos = nowNanos;
        }
    }

    /** Ends counting. The time since the last accepted send counts, too. */
    synchronized void stop(long nowNanos) {
        accepted(nowNanos);
        counts = false;
    }

    synchronized double sumMs() {
        return sumNanos / (double) TimeUnit.MILLISECONDS.toNanos(1);
    }

    synchronized double longestMs() {
        return longestNanos / (double) TimeUnit.MILLISECONDS.toNanos(1);
    }
}
