package dev.jitney.crash.support;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A wait for a condition with a deadline. */
public final class Eventually {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private Eventually() {}

    public static void until(String what, Duration patience, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("Expected within " + patience.toSeconds() + " s: " + what);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
