package dev.jitney.benchmarks.bench;

import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.process.ProcessCost;
import dev.jitney.testing.process.ServerProcess;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Measures runs of sends, one after the other, each from a quiet server to a quiet server. */
final class SendingCosts {
    private static final String COMMITTED = "jitney_store_commit_size_bytes_sum";
    private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long QUIET_NANOS = WINDOW_NANOS / 20;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final ServerProcess server;

    SendingCosts(ServerProcess server) {
        this.server = server;
    }

    /**
     * Runs a plan.
     *
     * @throws IOException if something went wrong with it
     */
    Sending measure(BenchPlan plan) throws AmqpException, IOException, InterruptedException {
        awaitQuiet();
        ProcessCost cost = server.cost();
        double committed = server.metric(COMMITTED);
        long written = cost.writtenBytes();
        long cpu = cost.cpuNanos();
        BenchResult result = new BenchRun(plan, server.endpoint(), cost).measure();
        if (result.trouble() != null) {
            throw new IOException(result.trouble());
        }
        awaitQuiet();
        double messages = result.accepted();
        return new Sending(
                result.perSecond(),
                TimeUnit.NANOSECONDS.toMicros(cost.cpuNanos() - cpu) / messages,
                (server.metric(COMMITTED) - committed) / messages,
                written < 0 ? -1 : (cost.writtenBytes() - written) / messages);
    }

    /** Waits until the server has nothing to do any more; not for ever. */
    private void awaitQuiet() {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        long used;
        do {
            long before = server.cost().cpuNanos();
            long until = System.nanoTime() + WINDOW_NANOS;
            for (long left = WINDOW_NANOS; left > 0; left = until - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            used = server.cost().cpuNanos() - before;
        } while (used > QUIET_NANOS && System.nanoTime() < deadline);
    }
}
