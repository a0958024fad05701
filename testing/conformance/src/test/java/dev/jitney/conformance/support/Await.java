package dev.jitney.conformance.support;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A wait for a condition, which ends as soon as the condition is true. */
public final class Await {
    /** The time limit. It is long because a busy machine may stall for many seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Await() {}

    public static void until(String what, Callable<Boolean> condition) {
        until(what, PATIENCE, condition);
    }

    public static void until(String what, Duration patience, Callable<Boolean> condition) {
        long deadline = System.nanoTime() + patience.toNanos();
        Throwable last = null;
        do {
            try {
                if (condition.call()) {
                    return;
                }
                last = null;
            } catch (Exception | AssertionError e) {
                last = e;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        } while (System.nanoTime() < deadline);
        throw new AssertionError("Expected " + what + " within " + patience + ", but it did not happen.", last);
    }
}
