package dev.jitney.cli.message;

import dev.jitney.cli.output.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** A pool that settles the messages of a batch in parallel, because each settlement waits for a response of the server. */
final class Settlement implements AutoCloseable {
    private static final int THREADS = 16;

    private final ExecutorService pool = Executors.newFixedThreadPool(THREADS, task -> {
        Thread thread = new Thread(task, "jitney-settlement");
        thread.setDaemon(true);
        return thread;
    });

    /** Settles the messages. Returns when all have been tried, then throws the first failure. */
    <T> void settle(List<T> messages, Consumer<T> how) {
        List<Future<?>> running = new ArrayList<>();
        for (T message : messages) {
            running.add(pool.submit(() -> how.accept(message)));
        }
        RuntimeException first = null;
        for (Future<?> one : running) {
            try {
                one.get();
            } catch (ExecutionException e) {
                if (first == null) {
                    first = e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new Failure(
                        Failure.INTERRUPTED, "Interrupted. Messages that were not settled are delivered again.", e);
            }
        }
        if (first != null) {
            throw first;
        }
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }
}
