package dev.jitney.paired;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The system clock. One daemon thread runs the tasks until the clock is closed. */
final class SystemClock implements PairingClock, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SystemClock.class);

    private final ScheduledThreadPoolExecutor timers;

    SystemClock(String name) {
        timers = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
        timers.setRemoveOnCancelPolicy(true);
        timers.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        try {
            Future<?> timer = timers.schedule(() -> run(task), delay.toMillis(), TimeUnit.MILLISECONDS);
            return () -> timer.cancel(false);
        } catch (RejectedExecutionException closed) {
            // The clock is closed, so the factory no longer waits for anything.
            return () -> {};
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("A timer task failed", e);
        }
    }

    @Override
    public void close() {
        timers.shutdown();
    }
}
