package dev.jitney.benchmarks.compare;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What one run finds, by {@link Figure} and as series. Used by one thread. */
final class Findings {
    /** Messages per second in each tenth of a fill. */
    static final String FILL_RATES = "fillPerSecond";

    /** Microseconds of the server's processor time per message in each tenth of a fill. */
    static final String FILL_COSTS = "fillCpuMicros";

    /** Messages per second in each tenth of a drain. */
    static final String DRAIN_RATES = "drainPerSecond";

    /** Microseconds of the server's processor time per message in each tenth of a drain. */
    static final String DRAIN_COSTS = "drainCpuMicros";

    private final Map<String, Double> figures = new LinkedHashMap<>();
    private final Map<String, List<Double>> series = new LinkedHashMap<>();

    /** Keeps a figure; one that is negative or infinite means that it is not known, and is left out. */
    void put(Figure figure, double value) {
        if (value >= 0 && Double.isFinite(value)) {
            figures.put(figure.key(), value);
        }
    }

    void put(String name, List<Double> values) {
        series.put(name, values);
    }

    Map<String, Double> figures() {
        return figures;
    }

    Map<String, List<Double>> series() {
        return series;
    }
}
