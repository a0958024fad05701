package dev.jitney.benchmarks.cluster;

import dev.jitney.benchmarks.load.BenchPlan;
import dev.jitney.benchmarks.load.BenchResult;
import dev.jitney.benchmarks.load.BenchRun;
import dev.jitney.benchmarks.load.Quiet;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.client.Endpoint;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A load that continues in a thread of its own while something else happens to the broker. Used by one thread. */
final class SteadyLoad implements AutoCloseable {
    private static final long END_SECONDS = 60;

    private final BenchRun run;
    private final AtomicLong moved = new AtomicLong();
    private final CompletableFuture<BenchResult> result = new CompletableFuture<>();
    private long markNanos = System.nanoTime();
    private long markMoved;

    /** @param plan a plan that lasts longer than this load is needed */
    SteadyLoad(BenchPlan plan, Endpoint endpoint) {
        run = new BenchRun(plan, endpoint, null, moved::set);
        Thread thread = new Thread(this::run, "steady-load");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            result.complete(run.measure());
        } catch (AmqpException | InterruptedException | RuntimeException e) {
            result.completeExceptionally(e);
        }
    }

    /** Begins a new interval. */
    void mark() {
        markNanos = System.nanoTime();
        markMoved = moved.get();
    }

    /**
     * Returns the messages per second since {@link #mark}.
     *
     * @throws IOException if the load has ended, for example because another node leads now
     */
    double perSecond() throws IOException, InterruptedException {
        if (result.isDone()) {
            throw new IOException("Expected clients without problems, but their load ended: " + trouble());
        }
        return (moved.get() - markMoved) * 1e9 / (System.nanoTime() - markNanos);
    }

    /** Waits, and returns the messages per second meanwhile. */
    double during(long seconds) throws IOException, InterruptedException {
        mark();
        Quiet.park(TimeUnit.SECONDS.toNanos(seconds));
        return perSecond();
    }

    /** Ends the load. Returns the first problem that clients had, or null. */
    @Nullable
    String end() throws InterruptedException {
        run.stop();
        return trouble();
    }

    private @Nullable String trouble() throws InterruptedException {
        try {
            return result.get(END_SECONDS, TimeUnit.SECONDS).trouble();
        } catch (ExecutionException e) {
            return String.valueOf(e.getCause());
        } catch (TimeoutException e) {
            return "The load did not end.";
        }
    }

    @Override
    public void close() {
        run.stop();
    }
}
