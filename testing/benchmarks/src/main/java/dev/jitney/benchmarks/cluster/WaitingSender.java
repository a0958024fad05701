package dev.jitney.benchmarks.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A client that sends one small message after another, so that one is under way when a node ends. It reports the time of the first
 * send that was accepted after that. Thread-safe.
 */
abstract class WaitingSender implements AutoCloseable {
    private static final long PAUSE_MS = 25;
    private static final long RETRY_MS = 10;
    private static final long END_MS = 30_000;
    /** The longest time that an answer from before the end of a node may take to arrive here. */
    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Counted down when this sender is closed. */
    private final CountDownLatch ended = new CountDownLatch(1);

    private boolean waits;
    private long sinceNanos;
    private long acceptedNanos;
    private long accepted;
    private String lastFailure = "no failure";

    WaitingSender(String name) {
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Sends a message and waits for its outcome. Throws if it was not accepted. */
    abstract void send() throws Exception;

    /** Ends what a failed send has left, so that the next one can succeed. */
    abstract void recover();

    private void run() {
        try {
            while (!ended.await(attempt(), TimeUnit.MILLISECONDS)) {
                // the next message
            }
        } catch (InterruptedException e) {
            // This sender was closed.
        }
    }

    /** Sends one message. Returns the milliseconds to wait before the next one. */
    private long attempt() throws InterruptedException {
        long begunNanos = System.nanoTime();
        try {
            send();
            accepted(begunNanos);
            return PAUSE_MS;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            failed(e);
            return RETRY_MS;
        }
    }

    private void failed(Exception e) {
        recover();
        lock.lock();
        try {
            lastFailure = String.valueOf(e);
        } finally {
            lock.unlock();
        }
    }

    private void accepted(long begunNanos) {
        long now = System.nanoTime();
        lock.lock();
        try {
            accepted++;
            if (waits && (begunNanos - sinceNanos > 0 || now - sinceNanos > GRACE_NANOS)) {
                waits = false;
                acceptedNanos = now;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until some more sends were accepted. */
    void awaitSends(int count, Duration patience) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        lock.lock();
        try {
            long enough = accepted + count;
            while (accepted < enough) {
                awaitUntil(deadline);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Begins to look for an accepted send. Call it just after a node has ended. */
    void expectAfter(long nanos) {
        lock.lock();
        try {
            sinceNanos = nanos;
            waits = true;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for an accepted send after {@link #expectAfter}. Returns its time, by {@link System#nanoTime}. */
    long awaitAccepted(Duration patience) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        lock.lock();
        try {
            while (waits) {
                awaitUntil(deadline);
            }
            return acceptedNanos;
        } finally {
            lock.unlock();
        }
    }

    private void awaitUntil(long deadline) throws IOException, InterruptedException {
        if (changed.awaitNanos(deadline - System.nanoTime()) <= 0) {
            throw new IOException("Expected an accepted send, but got none in time. Last failure: " + lastFailure);
        }
    }

    /** Ends the thread and waits for it. */
    @Override
    public void close() throws InterruptedException {
        ended.countDown();
        thread.interrupt();
        thread.join(END_MS);
        recover();
    }
}
