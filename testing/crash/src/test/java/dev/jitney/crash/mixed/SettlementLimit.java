package dev.jitney.crash.mixed;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A time limit for settlements. The Java SDK forgets a settlement that is requested in the moment in which its link ends
 * (ReceiverUnsettledDeliveries adds it after it has completed all others), and the call returns only after the total timeout of
 * its retries: four minutes with default options, hours with those of the kill tests. See the known limits of the Java SDK in
 * docs/reference/clients.md. An application that cannot wait interrupts its thread, as these tests do.
 */
final class SettlementLimit {
    /** Longer than any settlement that the SDK has not forgotten: two tries, and a failover. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final ScheduledExecutorService WATCH = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "settlement-limit");
        thread.setDaemon(true);
        return thread;
    });

    private static final AtomicInteger FORGOTTEN = new AtomicInteger();

    private SettlementLimit() {}

    /** Returns the number of settlements that the SDK has forgotten. */
    static int forgotten() {
        return FORGOTTEN.get();
    }

    /**
     * Runs a settlement. It fails with the exception of the SDK for an interrupted thread if it takes too long.
     */
    static void within(Runnable settlement) {
        Thread caller = Thread.currentThread();
        AtomicBoolean over = new AtomicBoolean();
        Future<?> interrupt = WATCH.schedule(
                () -> {
                    if (over.compareAndSet(false, true)) {
                        FORGOTTEN.incrementAndGet();
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
