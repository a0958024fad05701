package dev.jitney.benchmarks.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** Latencies by second, so that stalls are visible that the percentiles of a whole run hide. Any thread records, one thread reads. */
final class LatencyOverTime {
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final double NANOS_PER_MS = 1e6;

    /** The latency of a bar of one character, in milliseconds; each further character is twice as much. */
    private static final double BAR_MS = 0.25;

    private final Recorder recorder = new Recorder(Tally.LOWEST_NANOS, Tally.HIGHEST_NANOS, 3);
    private final List<Second> seconds = new ArrayList<>();
    private long endNanos;

    void record(long nanos) {
        recorder.recordValue(nanos);
    }

    /** Begins the first second. */
    void begin(long nowNanos) {
        recorder.reset();
        endNanos = nowNanos + SECOND_NANOS;
    }

    /** Ends the seconds that are over. Call it often. */
    void tick(long nowNanos) {
        while (nowNanos - endNanos >= 0) {
            Histogram latencies = recorder.getIntervalHistogram();
            seconds.add(new Second(
                    seconds.size() + 1,
                    latencies.getTotalCount(),
                    ms(latencies, 50),
                    ms(latencies, 99),
                    ms(latencies, 99.9),
                    latencies.getMaxValue() / NANOS_PER_MS));
            endNanos += SECOND_NANOS;
        }
    }

    private static double ms(Histogram latencies, double percentile) {
        return latencies.getValueAtPercentile(percentile) / NANOS_PER_MS;
    }

    List<Second> seconds() {
        return List.copyOf(seconds);
    }

    /** Returns a table with a bar for the p99 of each second, on a logarithmic scale. */
    static String text(List<Second> seconds) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "%6s %10s %9s %9s %9s %9s  %s%n",
                "second",
                "messages",
                "p50 ms",
                "p99",
                "p99.9",
                "max",
                "p99, doubling"));
        for (Second second : seconds) {
            text.append(String.format(
                    Locale.ROOT,
                    "%6d %,10d %9.2f %9.2f %9.2f %9.2f  %s%n",
                    second.number(),
                    second.messages(),
                    second.p50(),
                    second.p99(),
                    second.p999(),
                    second.max(),
                    bar(second.p99())));
        }
        double worst = seconds.stream().mapToDouble(Second::p99).max().orElse(0);
        text.append(String.format(
                Locale.ROOT,
                "%-22s %.2f ms in the worst second, above 20 ms in %d of %d seconds%n",
                "p99 by second",
                worst,
                seconds.stream().filter(second -> second.p99() > 20).count(),
                seconds.size()));
        return text.toString();
    }

    private static String bar(double ms) {
        int length = 0;
        for (double at = BAR_MS; at <= ms && length < 24; at *= 2) {
            length++;
        }
        return "#".repeat(length);
    }
}
