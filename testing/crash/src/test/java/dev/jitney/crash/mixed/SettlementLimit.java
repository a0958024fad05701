package dev.jitney.crash.mixed;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A time limit for settlements and for the ends of transactions. The Java SDK loses a settlement that is requested in the moment in which its link ends: {@code
 * ReceiverUnsettledDeliveries} adds it after it has completed all others. It loses the end of a transaction in the same way. The call returns only after the total timeout of its
 * retries, which is four minutes with default options and hours with those of the kill tests. See the known limits of the Java SDK
 * in docs/reference/clients.md. An application that cannot wait interrupts its thread, as these tests do.
 */
final class SettlementLimit {
    /** Longer than any settlement that the SDK has not lost: two tries, and a failover. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final ScheduledExecutorService WATCH = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "settlement-limit");
        thread.setDaemon(true);
        return thread;
    });

    private SettlementLimit() {}

    /**
     * Runs a settlement. It fails with the exception of the SDK for an interrupted thread if it takes too long.
     */
    static void within(Runnable settlement) {
        Thread caller = Thread.currentThread();
        AtomicBoolean over = new AtomicBoolean();
        Future<?> interrupt = WATCH.schedule(
                () -> {
                    if (over.compareAndSet(false, true)) {
                        caller.interrupt();
                    }
                },
                LIMIT.toMillis(),
                TimeUnit.MILLISECONDS);
        try {
            settlement.run();
        } finally {
            if (over.compareAndSet(false, true)) {
                interrupt.cancel(false);
            } else {
                while (!interrupt.isDone()) {
                    Thread.onSpinWait();
                }
                Thread.interrupted(); // the interrupt was for this settlement only
            }
        }
    }
}
