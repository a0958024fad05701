package dev.jitney.cli.message;

import dev.jitney.cli.output.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Settles the messages of a batch side by side: each waits for an answer from the server, which may be far away. */
final class Settlement implements AutoCloseable {
    private static final int THREADS = 16;

    private final ExecutorService pool = Executors.newFixedThreadPool(THREADS, task -> {
        Thread thread = new Thread(task, "jitney-settlement");
        thread.setDaemon(true);
        return thread;
    });

    /** Returns when all are settled. The first failure is thrown, after all have been tried. */
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
                throw new Failure(Failure.INTERRUPTED, "Interrupted; what was not settled comes again.", e);
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
