package dev.jitney.server.backup;

import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A limit of the bytes that are copied or read in a second. For one thread. */
public final class Pace {
    private static final long SECOND = 1_000_000_000L;

    /** The longest pause before the next look whether the work was canceled. */
    private static final long PAUSE_NANOS = SECOND / 10;

    /** The time for which unused bytes are saved up. */
    private static final long SAVED_NANOS = SECOND / 10;

    private final long bytesPerSecond;
    private final BooleanSupplier canceled;
    private long freeAtNanos = System.nanoTime();

    /**
     * @param bytesPerSecond the limit, or 0 for none
     * @param canceled       returns whether the work shall end
     */
    public Pace(long bytesPerSecond, BooleanSupplier canceled) {
        this.bytesPerSecond = bytesPerSecond;
        this.canceled = canceled;
    }

    /** Returns a pace without a limit. */
    public static Pace unlimited() {
        return new Pace(0, () -> false);
    }

    /**
     * Waits until bytes may be copied.
     *
     * @throws CancellationException if the work was canceled
     */
    void take(int bytes) {
        if (canceled.getAsBoolean()) {
            throw new CancellationException("The work was canceled.");
        }
        if (bytesPerSecond <= 0) {
            return;
        }
        long now = System.nanoTime();
        if (freeAtNanos - now < -SAVED_NANOS) {
            freeAtNanos = now - SAVED_NANOS;
        }
        while (freeAtNanos - now > 0) {
            LockSupport.parkNanos(Math.min(PAUSE_NANOS, freeAtNanos - now));
            if (canceled.getAsBoolean() || Thread.currentThread().isInterrupted()) {
                throw new CancellationException("The work was canceled.");
            }
            now = System.nanoTime();
        }
        freeAtNanos += (long) ((double) bytes * SECOND / bytesPerSecond);
    }
}
