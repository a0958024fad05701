package dev.jitney.crash.mixed;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A client's thread: it does one step after another, whatever fails, and can be halted between two of them. */
final class MixedLoop implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final String name;
    private final Step step;
    private final long pauseNanos;
    private final ReentrantLock turn = new ReentrantLock(true);
    private final AtomicReference<@Nullable Throwable> lastFailure = new AtomicReference<>();
    private final Thread thread;
    private volatile int successes;
    private volatile int failures;
    private volatile boolean stopped;

    /** What is done again and again. */
    @FunctionalInterface
    interface Step {
        /** @return whether something was achieved */
        boolean run() throws InterruptedException;
    }

    /** @param pauseMs between two steps */
    MixedLoop(String name, long pauseMs, Step step) {
        this.name = name;
        this.step = step;
        this.pauseNanos = TimeUnit.MILLISECONDS.toNanos(pauseMs);
        this.thread = new Thread(this::work, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField") // written by this thread only
    private void work() {
        while (!stopped) {
            turn.lock();
            try {
                if (!stopped && step.run()) {
                    successes++;
                }
            } catch (RuntimeException e) {
                failures++;
                lastFailure.set(e);
            } catch (InterruptedException e) {
                return;
            } finally {
                turn.unlock();
            }
            LockSupport.parkNanos(pauseNanos);
        }
    }

    /** Returns when the present step has ended; no other begins. */
    void halt() throws InterruptedException {
        if (!turn.tryLock(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            AssertionError stuck = new AssertionError("Expected " + name + " to end its step, but it is stuck");
            stuck.setStackTrace(thread.getStackTrace());
            throw stuck;
        }
    }

    String name() {
        return name;
    }

    int successes() {
        return successes;
    }

    int failures() {
        return failures;
    }

    @Nullable
    Throwable lastFailure() {
        return lastFailure.get();
    }

    /** Ends it, also while it is halted by this thread. */
    @Override
    public void close() throws InterruptedException {
        stopped = true;
        if (turn.isHeldByCurrentThread()) {
            turn.unlock();
        }
        thread.interrupt();
        thread.join(PATIENCE.toMillis());
    }
}
