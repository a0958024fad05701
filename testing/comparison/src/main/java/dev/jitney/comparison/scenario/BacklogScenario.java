package dev.jitney.comparison.scenario;

import dev.jitney.benchmarks.load.BenchResult;
import dev.jitney.benchmarks.load.HeapUse;
import dev.jitney.benchmarks.load.Mode;
import dev.jitney.benchmarks.load.Quiet;
import dev.jitney.comparison.broker.Entities;
import dev.jitney.comparison.result.Figure;
import dev.jitney.comparison.result.Findings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A scenario that fills a queue, kills the broker, starts it again, and drains the queue.
 *
 * @param count number of messages
 */
record BacklogScenario(long count) implements Scenario {
    private static final double BYTES_PER_MIB = 1 << 20;
    private static final double KIB_PER_MIB = 1024;
    private static final long MILLION = 1_000_000;

    @Override
    public String id() {
        return "backlog-" + (count % MILLION == 0 ? count / MILLION + "m" : String.valueOf(count));
    }

    @Override
    public String title() {
        return String.format(Locale.ROOT, "a backlog of %,d messages", count);
    }

    @Override
    public Entities entities() {
        return new Entities(1, 0);
    }

    @Override
    public int rounds(Sizes sizes) {
        return sizes.backlogRounds();
    }

    @Override
    public boolean backlog() {
        return true;
    }

    @Override
    public void run(Trial trial) throws IOException, InterruptedException {
        String queue = Entities.queue(0);
        Findings findings = trial.findings();
        trial.up(Entities.READY);
        trial.warmUp(queue);
        Quiet.await(trial.cost());

        Tenths filling = new Tenths(count, trial.cost());
        Trial.Meter meter = new Trial.Meter(trial.cost());
        BenchResult filled = trial.measure(Plans.counted(Mode.SEND, queue, count), filling);
        Quiet.await(trial.cost());
        findings.put(Figure.FILL_PER_SECOND, filled.perSecond());
        findings.put(Figure.FILL_CPU_MICROS, meter.cpuMicros(count));
        findings.put(Figure.FILL_WRITTEN_BYTES, meter.written(count));
        findings.put(Findings.FILL_RATES, filling.perSecond());
        findings.put(Findings.FILL_COSTS, filling.cpuMicros());
        trial.keepLatencies(filled);
        findings.put(Figure.FULL_RSS_MIB, trial.cost().residentKiB() / KIB_PER_MIB);
        long peakKiB = trial.cost().peakResidentKiB();
        findings.put(
                Figure.FULL_HEAP_MIB, HeapUse.liveMiB(trial.server().process().pid()));
        findings.put(Figure.FULL_DISK_MIB, bytesIn(trial.server().data()) / BYTES_PER_MIB);

        trial.server().process().kill();
        findings.put(Figure.RESTART_RECEIVED_MS, restart(trial, queue));

        Tenths draining = new Tenths(count, trial.cost());
        meter = new Trial.Meter(trial.cost());
        BenchResult drained = trial.measure(Plans.counted(Mode.RECEIVE, queue, count), draining);
        Quiet.await(trial.cost());
        findings.put(Figure.DRAIN_PER_SECOND, drained.perSecond());
        findings.put(Figure.DRAIN_CPU_MICROS, meter.cpuMicros(count));
        findings.put(Figure.DRAIN_WRITTEN_BYTES, meter.written(count));
        findings.put(Findings.DRAIN_RATES, draining.perSecond());
        findings.put(Findings.DRAIN_COSTS, draining.cpuMicros());
        trial.keepMemory();
        findings.put(Figure.PEAK_RSS_MIB, Math.max(peakKiB, trial.cost().peakResidentKiB()) / KIB_PER_MIB);
    }

    /** Sends one message and receives the first one, so that the number of messages does not change. */
    private static double restart(Trial trial, String queue) throws IOException, InterruptedException {
        long launched = System.nanoTime();
        trial.findings().put(Figure.RESTART_ACCEPTED_MS, trial.up(queue));
        try (FirstMessage first = new FirstMessage(trial.server())) {
            first.awaitReceived(queue);
            return (System.nanoTime() - launched) / 1e6;
        }
    }

    private static long bytesIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> all = files.filter(Files::isRegularFile).toList();
            long bytes = 0;
            for (Path file : all) {
                bytes += sizeOf(file);
            }
            return bytes;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Returns the size of a file, or 0 if a compaction deletes it meanwhile. */
    private static long sizeOf(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException gone) {
            return 0;
        }
    }
}
