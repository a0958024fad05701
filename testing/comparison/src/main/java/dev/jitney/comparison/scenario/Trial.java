package dev.jitney.comparison.scenario;

import dev.jitney.benchmarks.load.BacklogWarmUp;
import dev.jitney.benchmarks.load.BenchPlan;
import dev.jitney.benchmarks.load.BenchResult;
import dev.jitney.benchmarks.load.BenchRun;
import dev.jitney.benchmarks.load.HeapUse;
import dev.jitney.benchmarks.load.Mode;
import dev.jitney.benchmarks.load.Quiet;
import dev.jitney.comparison.broker.BrokerServer;
import dev.jitney.comparison.result.Figure;
import dev.jitney.comparison.result.Findings;
import dev.jitney.testing.client.AmqpException;
import dev.jitney.testing.process.ProcessCost;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.HdrHistogram.Histogram;

/**
 * One run of a scenario on one broker.
 *
 * @param server prepared server, not launched yet
 * @param rates rates measured by earlier scenarios
 */
public record Trial(BrokerServer server, Sizes sizes, Rates rates, Findings findings) {
    private static final double KIB_PER_MIB = 1024;
    private static final double NANOS_PER_MICRO = 1_000;
    private static final double NANOS_PER_MS = 1_000_000;
    private static final double SYNCS_PER_SECOND_MAX = 2_000;

    /** Launches the broker and waits until it has accepted a message. Returns the time in milliseconds. */
    double up(String queue) throws IOException, InterruptedException {
        // The client is created before the clock starts.
        try (FirstMessage first = new FirstMessage(server)) {
            long launched = System.nanoTime();
            server.launch();
            first.awaitAccepted(queue);
            return (System.nanoTime() - launched) / NANOS_PER_MS;
        }
    }

    /** Runs a plan. Throws if the run has a problem. */
    BenchResult measure(BenchPlan plan) throws IOException, InterruptedException {
        return measure(plan, moved -> {});
    }

    /** Runs a plan and reports the number of messages moved so far. Throws if the run has a problem. */
    BenchResult measure(BenchPlan plan, LongConsumer progress) throws IOException, InterruptedException {
        try {
            BenchResult result = new BenchRun(plan, server.endpoint(), cost(), progress).measure();
            if (result.trouble() != null) {
                throw new IOException(result.trouble() + "\n" + server.said());
            }
            return result;
        } catch (AmqpException e) {
            throw new IOException(e.getMessage() + "\n" + server.said(), e);
        }
    }

    /** Runs both directions at the same time through a queue, so that the JIT compilers finish. */
    void warmUp(String queue) throws IOException, InterruptedException {
        if (sizes.warmUpSeconds() > 0) {
            measure(Plans.bothOf(queue, sizes.warmUpSeconds()));
        }
    }

    /** Fills and empties a queue for the time of the warm-up, so that the code that delivers a backlog is compiled, too. */
    void warmUpBacklog(String queue) throws IOException, InterruptedException {
        long messages = Math.min(sizes.count(), BacklogWarmUp.MESSAGES);
        BenchPlan fill = Plans.counted(Mode.SEND, queue, messages);
        BenchPlan drain = Plans.counted(Mode.RECEIVE, queue, messages);
        try {
            BacklogWarmUp.run(sizes.warmUpSeconds(), fill, drain, this::measure);
        } catch (AmqpException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    ProcessCost cost() {
        return server.process().cost();
    }

    /** Keeps the latencies of a run. */
    void keepLatencies(BenchResult result) {
        Histogram accepted = result.toAccepted();
        if (accepted.getTotalCount() > 0) {
            findings.put(Figure.ACCEPTED_P50, millis(accepted, 50));
            findings.put(Figure.ACCEPTED_P99, millis(accepted, 99));
            findings.put(Figure.ACCEPTED_P999, millis(accepted, 99.9));
        }
        Histogram received = result.toReceived();
        if (received.getTotalCount() > 0) {
            findings.put(Figure.RECEIVED_P50, millis(received, 50));
            findings.put(Figure.RECEIVED_P99, millis(received, 99));
            findings.put(Figure.RECEIVED_P999, millis(received, 99.9));
        }
    }

    /**
     * Measures the disk of the broker's messages and keeps the result: blocks written and synced at the broker's rate,
     * up to a rate that a disk can reach. At higher rates, brokers write many messages at once.
     */
    void keepDisk(double perSecond) throws IOException {
        Quiet.await(cost());
        Histogram disk = DiskAlone.measure(server.data(), Math.min(perSecond, SYNCS_PER_SECOND_MAX), sizes.seconds());
        findings.put(Figure.DISK_P50, millis(disk, 50));
        findings.put(Figure.DISK_P99, millis(disk, 99));
        findings.put(Figure.DISK_P999, millis(disk, 99.9));
    }

    private static double millis(Histogram histogram, double percentile) {
        return histogram.getValueAtPercentile(percentile) / NANOS_PER_MS;
    }

    /** Keeps the current memory use of the broker. */
    void keepMemory() throws InterruptedException {
        findings.put(Figure.RSS_MIB, cost().residentKiB() / KIB_PER_MIB);
        findings.put(Figure.PEAK_RSS_MIB, cost().peakResidentKiB() / KIB_PER_MIB);
        findings.put(Figure.HEAP_MIB, HeapUse.liveMiB(server.process().pid()));
    }

    /** The resources that a process has used since a point in time. */
    static final class Meter {
        private final ProcessCost cost;
        private final long cpuNanos;
        private final long writtenBytes;

        Meter(ProcessCost cost) {
            this.cost = cost;
            this.cpuNanos = cost.cpuNanos();
            this.writtenBytes = cost.writtenBytes();
        }

        /** Returns the microseconds of processor time per message. */
        double cpuMicros(long messages) {
            return (cost.cpuNanos() - cpuNanos) / NANOS_PER_MICRO / messages;
        }

        /** Returns the bytes written to disk per message, -1 if not known. */
        double written(long messages) {
            return writtenBytes < 0 ? -1 : (double) (cost.writtenBytes() - writtenBytes) / messages;
        }
    }

    /** Returns the time limit of a run that waits for messages. */
    static long patienceMs() {
        return TimeUnit.HOURS.toMillis(1);
    }
}
