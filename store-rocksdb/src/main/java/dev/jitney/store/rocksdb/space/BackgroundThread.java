package dev.jitney.store.rocksdb.space;

import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a store for work that may wait. It starts with the first request, does the work once for all requests that came
 * before, and rests before it works again.
 *
 * <p>Any thread may request work. {@link #close} waits for the thread, and only after that the database may be closed.
 */
final class BackgroundThread implements AutoCloseable {
    private final String name;
    private final Runnable work;
    private final LongUnaryOperator restNs;

    // Guarded by this.
    private @Nullable Thread thread;
    private boolean wanted;
    private boolean closed;

    /**
     * Creates the object; the thread starts later.
     *
     * @param restNs returns how long to rest after work that took so many nanoseconds
     */
    BackgroundThread(String name, Runnable work, LongUnaryOperator restNs) {
        this.name = name;
        this.work = work;
        this.restNs = restNs;
    }

    /** Requests the work. Cheap, so it may be called repeatedly; no effect after {@link #close}. */
    synchronized void wake() {
        if (closed || wanted) {
            return;
        }
        wanted = true;
        if (thread == null) {
            thread = new Thread(this::run, name);
            thread.setDaemon(true);
            thread.start();
        } else {
            notifyAll();
        }
    }

    @Override
    public void close() {
        Thread ending;
        synchronized (this) {
            closed = true;
            ending = thread;
            notifyAll();
        }
        boolean interrupted = false;
        while (ending != null && ending.isAlive()) {
            try {
                ending.join();
            } catch (InterruptedException e) {
                // The native objects must not be freed while the thread runs; keep waiting and restore the interrupt
                // later.
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (isWanted()) {
                long began = System.nanoTime();
                work.run();
                rest(restNs.applyAsLong(System.nanoTime() - began));
            }
        } catch (InterruptedException e) {
            // Only the end of the process interrupts this thread.
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for a request. Returns false if the object was closed. */
    private synchronized boolean isWanted() throws InterruptedException {
        while (!closed && !wanted) {
            wait();
        }
        wanted = false;
        return !closed;
    }

    private synchronized void rest(long ns) throws InterruptedException {
        long end = System.nanoTime() + ns;
        while (!closed && end - System.nanoTime() > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, end - System.nanoTime());
        }
    }
}
