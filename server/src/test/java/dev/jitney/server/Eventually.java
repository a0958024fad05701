package dev.jitney.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A wait for a condition, which ends as soon as the condition is true. */
public final class Eventually {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

    private Eventually() {}

    /** Waits until the condition is true; fails after 20 seconds. */
    public static void await(BooleanSupplier condition) {
        long beginNs = System.nanoTime();
        while (!condition.getAsBoolean() && System.nanoTime() - beginNs < PATIENCE_NS) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }
}
