package dev.jitney.comparison.result;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The findings of one run, by {@link Figure} and as series. Used by one thread. */
public final class Findings {
    /** The messages per second in each tenth of a fill. */
    public static final String FILL_RATES = "fillPerSecond";

    /** The microseconds of the server's processor time per message in each tenth of a fill. */
    public static final String FILL_COSTS = "fillCpuMicros";

    /** The messages per second in each tenth of a drain. */
    public static final String DRAIN_RATES = "drainPerSecond";

    /** The microseconds of the server's processor time per message in each tenth of a drain. */
    public static final String DRAIN_COSTS = "drainCpuMicros";

    private final Map<String, Double> figures = new LinkedHashMap<>();
    private final Map<String, List<Double>> series = new LinkedHashMap<>();

    /** Keeps a figure. Omits a negative or infinite value, which means that the figure is not known. */
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
