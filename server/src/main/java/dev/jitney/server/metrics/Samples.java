package dev.jitney.server.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** The samples of one page by family. Not thread-safe. */
final class Samples {
    private final Map<Family, List<GaugeDataPointSnapshot>> gauges = new IdentityHashMap<>();
    private final Map<Family, List<CounterDataPointSnapshot>> counters = new IdentityHashMap<>();
    private final Map<Family, List<HistogramDataPointSnapshot>> histograms = new IdentityHashMap<>();

    /** Adds a sample of a gauge or a counter. */
    void add(Family family, Labels labels, double value) {
        if (family.type() == Family.Type.COUNTER) {
            counters.computeIfAbsent(family, f -> new ArrayList<>())
                    .add(new CounterDataPointSnapshot(value, labels, null, 0));
        } else {
            gauges.computeIfAbsent(family, f -> new ArrayList<>()).add(new GaugeDataPointSnapshot(value, labels, null));
        }
    }

    /**
     * Adds a sample of a histogram.
     *
     * @param upperBounds ascending and inclusive
     * @param counts one more than bounds, each value in one bucket
     */
    void add(Family family, Labels labels, double[] upperBounds, long[] counts, double sum) {
        double[] bounds = new double[upperBounds.length + 1];
        System.arraycopy(upperBounds, 0, bounds, 0, upperBounds.length);
        bounds[upperBounds.length] = Double.POSITIVE_INFINITY;
        histograms
                .computeIfAbsent(family, f -> new ArrayList<>())
                .add(new HistogramDataPointSnapshot(
                        ClassicHistogramBuckets.of(bounds, counts), sum, labels, Exemplars.EMPTY, 0));
    }

    /** Returns the samples, without families that have none. */
    List<MetricSnapshot> snapshots() {
        List<MetricSnapshot> out = new ArrayList<>();
        gauges.forEach((family, points) -> out.add(new GaugeSnapshot(about(family), points)));
        counters.forEach((family, points) -> out.add(new CounterSnapshot(about(family), points)));
        histograms.forEach((family, points) -> out.add(new HistogramSnapshot(about(family), points)));
        return out;
    }

    private static MetricMetadata about(Family family) {
        return new MetricMetadata(family.name(), family.help());
    }
}
