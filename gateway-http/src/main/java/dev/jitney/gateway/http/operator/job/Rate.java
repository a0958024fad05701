package dev.jitney.gateway.http.operator.job;

import java.util.concurrent.TimeUnit;

/** A limit of changes in a second. Up to a tenth of a second of changes may follow each other at once. For one thread. */
final class Rate {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final long perSecond;
    private final double burst;
    private double tokens;
    private long lastNanos;

    /** @param perSecond the maximum, 0 for no limit */
    Rate(long perSecond, long nowNanos) {
        this.perSecond = perSecond;
        this.burst = Math.max(1, perSecond / 10.0);
        this.tokens = 1;
        this.lastNanos = nowNanos;
    }

    /**
     * Takes some permits.
     *
     * @return 0 if they were taken, or the milliseconds until there may be enough of them
     */
    long take(int permits, long nowNanos) {
        if (perSecond == 0) {
            return 0;
        }
        tokens = Math.min(Math.max(burst, permits), tokens + (nowNanos - lastNanos) * (double) perSecond / SECOND);
        lastNanos = nowNanos;
        if (tokens >= permits) {
            tokens -= permits;
            return 0;
        }
        return Math.max(1, (long) Math.ceil((permits - tokens) * 1_000 / perSecond));
    }
}
