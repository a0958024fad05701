package dev.jitney.crash.mixed;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A thread of a client. It runs one step after another, also after failures, and can be halted between two steps. */
final class MixedLoop implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final String name;
    private final Step step;
    private final long pauseNanos;
    private final SdkErrors errors;
    private final ReentrantLock turn = new ReentrantLock(true);
    private final AtomicReference<@Nullable Throwable> lastFailure = new AtomicReference<>();
    private final Thread thread;
    private volatile int successes;
    private volatile int failures;
    private volatile boolean stopped;

    /** A step that is repeated. */
    @FunctionalInterface
    interface Step {
        /**
         * Runs the step.
         *
         * @return whether it was successful
         */
        boolean run() throws InterruptedException;
    }

    /**
     * @param pauseMs the pause between two steps in milliseconds
     * @param errors gets the failures of steps
     */
    MixedLoop(String name, long pauseMs, SdkErrors errors, Step step) {
        this.errors = errors;
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
                errors.add(e);
            } catch (InterruptedException e) {
                return;
            } finally {
                turn.unlock();
            }
            LockSupport.parkNanos(pauseNanos);
        }
    }

    /** Waits for the end of the current step and prevents the next one. */
    void halt() throws InterruptedException {
        if (!turn.tryLock(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            AssertionError stuck =
                    new AssertionError("Expected " + name + " to end its step, but it did not end in time");
            stuck.setStackTrace(thread.getStackTrace());
            throw stuck;
        }
    }

    String name() {
        return name;
    }

    String whereabouts() {
        return whereabouts(thread);
    }

    /** Returns the name of a thread, and where it is. */
    static String whereabouts(Thread thread) {
        StringBuilder text = new StringBuilder(thread.getName());
        for (StackTraceElement frame : thread.getStackTrace()) {
            text.append("\n\tat ").append(frame);
        }
        return text.toString();
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

    /** Ends the thread, also while it is halted by the caller. */
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
