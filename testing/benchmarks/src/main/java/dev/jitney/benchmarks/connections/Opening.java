package dev.jitney.benchmarks.connections;

import dev.jitney.testing.client.AmqpClient;
import dev.jitney.testing.client.ClientConnection;
import dev.jitney.testing.client.Endpoint;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Opens connections, several at the same time, and closes them all at the end. Used once, by one thread. */
final class Opening {
    private static final long MAX_MICROS = TimeUnit.MINUTES.toMicros(2);
    private static final long PATIENCE_SECONDS = 120;

    private final Endpoint endpoint;
    private final int count;
    private final int atOnce;
    private final Histogram micros = new ConcurrentHistogram(MAX_MICROS, 3);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private double seconds;

    /**
     * @param count the number of connections
     * @param atOnce the number of connections that are being opened at the same time
     */
    Opening(Endpoint endpoint, int count, int atOnce) {
        this.endpoint = endpoint;
        this.count = count;
        this.atOnce = atOnce;
    }

    /** Returns the microseconds from the start of each connect to its session. */
    Histogram micros() {
        return micros;
    }

    /** Returns the time from the first connect to the last session. */
    double seconds() {
        return seconds;
    }

    /**
     * Opens all connections.
     *
     * @param whileOpen called when all are open, before they are closed
     * @throws IOException if one cannot be opened
     */
    void run(Runnable whileOpen) throws IOException, InterruptedException {
        Queue<ClientConnection> opened = new ConcurrentLinkedQueue<>();
        try (AmqpClient client = new AmqpClient(1)) {
            Semaphore permits = new Semaphore(atOnce);
            long start = System.nanoTime();
            for (int i = 0; i < count && failure.get() == null; i++) {
                take(permits, 1);
                open(client, opened, permits);
            }
            take(permits, atOnce);
            seconds = (System.nanoTime() - start) / 1e9;
            Throwable failed = failure.get();
            if (failed != null) {
                throw new IOException(
                        "Expected connection " + (opened.size() + 1) + " to be opened, but got " + failed, failed);
            }
            whileOpen.run();
            opened.forEach(ClientConnection::close);
        }
    }

    private void open(AmqpClient client, Queue<ClientConnection> opened, Semaphore permits) {
        long began = System.nanoTime();
        client.connect(endpoint).whenComplete((connection, failed) -> {
            if (failed == null) {
                opened.add(connection);
                micros.recordValue(Math.min(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - began), MAX_MICROS));
            } else {
                failure.compareAndSet(null, failed);
            }
            permits.release();
        });
    }

    private static void take(Semaphore permits, int number) throws IOException, InterruptedException {
        if (!permits.tryAcquire(number, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("Expected connections within " + PATIENCE_SECONDS + " s, but got none.");
        }
    }
}
