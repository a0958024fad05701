package dev.jitney.comparison.result;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What one run finds, by {@link Figure} and as series. Used by one thread. */
public final class Findings {
    /** Messages per second in each tenth of a fill. */
    public static final String FILL_RATES = "fillPerSecond";

    /** Microseconds of the server's processor time per message in each tenth of a fill. */
    public static final String FILL_COSTS = "fillCpuMicros";

    /** Messages per second in each tenth of a drain. */
    public static final String DRAIN_RATES = "drainPerSecond";

    /** Microseconds of the server's processor time per message in each tenth of a drain. */
    public static final String DRAIN_COSTS = "drainCpuMicros";

    private final Map<String, Double> figures = new LinkedHashMap<>();
    private final Map<String, List<Double>> series = new LinkedHashMap<>();

    /** Keeps a figure; one that is negative or infinite means that it is not known, and is left out. */
    public void put(Figure figure, double value) {
        if (value >= 0 && Double.isFinite(value)) {
            figures.put(figure.key(), value);
        }
    }

    public void put(String name, List<Double> values) {
        series.put(name, values);
    }

    public Map<String, Double> figures() {
        return figures;
    }

    public Map<String, List<Double>> series() {
        return series;
    }
}
