package dev.jitney.benchmarks.load;

import dev.jitney.testing.process.ProcessCost;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A wait until a server has finished its deferred work: flushes, compactions, garbage collections. */
public final class Quiet {
    private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long QUIET_NANOS = WINDOW_NANOS / 20;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private Quiet() {}

    /** Waits until the process is idle, or until a time limit. */
    public static void await(ProcessCost server) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        long used;
        do {
            long before = server.cpuNanos();
            park(WINDOW_NANOS);
            used = server.cpuNanos() - before;
        } while (used > QUIET_NANOS && System.nanoTime() < deadline);
    }

    /** Parks this thread for a time. */
    public static void park(long nanos) {
        long until = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
