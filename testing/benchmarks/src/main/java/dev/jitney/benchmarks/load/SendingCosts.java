package dev.jitney.benchmarks.load;

import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.process.ProcessCost;
import dev.jitney.testing.process.ServerProcess;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** A measurement of runs one after the other, each from an idle server to an idle server. */
public final class SendingCosts {
    private static final String COMMITTED = "jitney_store_commit_size_bytes_sum";

    /**
     * The cache factor of the metrics page: the server returns the same page for nine times as long as it took to
     * create it.
     */
    private static final int PAGE_REST = 10;

    private final ServerProcess server;

    /** The time after which the server creates a new page, by {@link System#nanoTime}. */
    private long freshFromNanos = System.nanoTime();

    public SendingCosts(ServerProcess server) {
        this.server = server;
    }

    /**
     * Runs a plan.
     *
     * @throws IOException if the run had a problem
     */
    public Sending measure(BenchPlan plan) throws AmqpException, IOException, InterruptedException {
        Quiet.await(server.cost());
        ProcessCost cost = server.cost();
        double committed = committed();
        long written = cost.writtenBytes();
        long cpu = cost.cpuNanos();
        BenchResult result = new BenchRun(plan, server.endpoint(), cost).measure();
        if (result.trouble() != null) {
            throw new IOException(result.trouble());
        }
        Quiet.await(server.cost());
        double messages = result.accepted();
        return new Sending(
                result.perSecond(),
                TimeUnit.NANOSECONDS.toMicros(cost.cpuNanos() - cpu) / messages,
                (committed() - committed) / messages,
                written < 0 ? -1 : (cost.writtenBytes() - written) / messages);
    }

    /** Returns the bytes of rows committed so far, from a page that was created after this call. */
    private double committed() throws IOException, InterruptedException {
        Quiet.park(freshFromNanos - System.nanoTime());
        long start = System.nanoTime();
        double bytes = server.metric(COMMITTED);
        long end = System.nanoTime();
        freshFromNanos = end + PAGE_REST * (end - start);
        return bytes;
    }
}
