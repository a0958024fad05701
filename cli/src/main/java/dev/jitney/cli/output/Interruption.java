package dev.jitney.cli.output;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ctrl-C and SIGTERM, as a question that long work asks between two steps.
 *
 * <p>The Java machine ends once its shutdown hooks have ended. The hook waits until the command has finished its step
 * and said what was done, but not for ever. A command that merely waits for something to come is woken.
 */
public final class Interruption {
    private static final long PATIENCE_SECONDS = 10;

    private final CountDownLatch finished = new CountDownLatch(1);
    private boolean requested;
    private @Nullable Thread waiting;

    /** Whether to stop after this step. */
    public synchronized boolean requested() {
        return requested;
    }

    /** Asks the work to stop. */
    public synchronized void request() {
        requested = true;
        if (waiting != null) {
            waiting.interrupt();
        }
    }

    /** Runs what may wait long and loses nothing when its thread is interrupted; not at all if that was asked. */
    public void waitIn(Runnable step) {
        synchronized (this) {
            if (requested) {
                return;
            }
            waiting = Thread.currentThread();
        }
        try {
            step.run();
        } catch (RuntimeException e) {
            if (!requested()) {
                throw e;
            }
        } finally {
            synchronized (this) {
                waiting = null;
                if (requested && Thread.interrupted()) {
                    requested = true; // the interrupt was ours; what follows must be able to block
                }
            }
        }
    }

    /** Lets a signal ask. For the process's entry only. */
    public void onSignal() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::requestAndWait, "jitney-interruption"));
    }

    /** The command has ended; the process may. */
    public void finished() {
        finished.countDown();
    }

    private void requestAndWait() {
        request();
        try {
            if (!finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                Runtime.getRuntime().halt(Failure.INTERRUPTED);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
