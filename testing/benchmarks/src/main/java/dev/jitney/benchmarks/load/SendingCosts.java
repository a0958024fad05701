package dev.jitney.benchmarks.load;

import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.process.ProcessCost;
import dev.jitney.testing.process.ServerProcess;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Measures runs, one after the other, each from a quiet server to a quiet server. */
public final class SendingCosts {
    private static final String COMMITTED = "jitney_store_commit_size_bytes_sum";

    /** A page of metrics is given out again until nine times as long has passed as it took to make. */
    private static final int PAGE_REST = 10;

    private final ServerProcess server;

    /** From when on a page is made anew, by the machine's steady clock. */
    private long freshFromNanos = System.nanoTime();

    public SendingCosts(ServerProcess server) {
        this.server = server;
    }

    /**
     * Runs a plan.
     *
     * @throws IOException if something went wrong with it
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

    /** Bytes of rows committed by now, from a page that was made after this was called. */
    private double committed() throws IOException, InterruptedException {
        Quiet.park(freshFromNanos - System.nanoTime());
        long start = System.nanoTime();
        double bytes = server.metric(COMMITTED);
        long end = System.nanoTime();
        freshFromNanos = end + PAGE_REST * (end - start);
        return bytes;
    }
}
