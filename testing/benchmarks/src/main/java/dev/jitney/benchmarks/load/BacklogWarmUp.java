package dev.jitney.benchmarks.load;

import dev.jitney.testing.client.AmqpException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Fills a queue and empties it repeatedly, so that the JIT compilers finish before a backlog is measured: a server delivers stored
 * messages by other code than messages that receivers wait for.
 */
public final class BacklogWarmUp {
    /** The most messages of one filling: more than the memory for recent messages has, so that most of them come from the disk. */
    public static final long MESSAGES = 200_000;

    private BacklogWarmUp() {}

    /** Runs a plan on the broker. */
    @FunctionalInterface
    public interface Run {
        void of(BenchPlan plan) throws AmqpException, IOException, InterruptedException;
    }

    /**
     * Fills and empties until the time is over. A last filling is emptied in any case.
     *
     * @param seconds the time, 0 for no warm-up
     * @param fill sends a number of messages, {@link #MESSAGES} at most
     * @param drain receives the same number
     */
    public static void run(long seconds, BenchPlan fill, BenchPlan drain, Run run)
            throws AmqpException, IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() - deadline < 0) {
            run.of(fill);
            run.of(drain);
        }
    }
}
