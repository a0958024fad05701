package dev.jitney.cli.output;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A flag that Ctrl-C and SIGTERM set. Long work checks it between two steps.
 *
 * <p>The Java machine ends after its shutdown hooks. The hook waits, for a limited time, until the command has finished its step
 * and printed its summary. A command that only waits for something to arrive is interrupted.
 */
public final class Interruption {
    private static final long PATIENCE_SECONDS = 10;

    private final CountDownLatch finished = new CountDownLatch(1);
    private boolean requested;
    private @Nullable Thread waiting;

    /** Returns whether to stop after this step. */
    public synchronized boolean requested() {
        return requested;
    }

    /** Requests the stop. */
    public synchronized void request() {
        requested = true;
        if (waiting != null) {
            waiting.interrupt();
        }
    }

    /** Runs a step that may wait long and loses nothing when interrupted. Skips it if a stop was requested. */
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
                    requested = true; // this class interrupted the thread; later steps must be able to block
                }
            }
        }
    }

    /** Registers the shutdown hook. For the main method only. */
    public void onSignal() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::requestAndWait, "jitney-interruption"));
    }

    /** Reports that the command has ended, so that the process may end. */
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
