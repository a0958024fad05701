package dev.jitney.comparison.report;

import dev.jitney.benchmarks.load.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A chart of horizontal bars in groups, one bar per broker. The length of a bar is the median; the thin line over it
 * spans the smallest and the largest value. Used by one thread.
 */
final class BarChart {
    private static final int WIDTH = 860;
    private static final int LEFT = 330;
    private static final int RIGHT = 90;
    private static final int TOP = 62;
    private static final int BAR = 16;
    private static final int GAP = 12;

    private final String title;
    private final List<String> brokers;
    private final boolean logarithmic;
    private final List<Group> groups = new ArrayList<>();

    /** The bars of a group. An unknown value has no bar. */
    private record Group(String label, List<@Nullable Spread> values, DoubleFunction<String> format) {}

    /**
     * @param logarithmic whether the axis is logarithmic, for values of different orders of magnitude
     */
    BarChart(String title, List<String> brokers, boolean logarithmic) {
        this.title = title;
        this.brokers = brokers;
        this.logarithmic = logarithmic;
    }

    /**
     * @param values one value for each broker
     */
    void add(String label, List<@Nullable Spread> values, DoubleFunction<String> format) {
        groups.add(new Group(label, values, format));
    }

    boolean isEmpty() {
        return groups.isEmpty();
    }

    String svg() {
        int groupHeight = brokers.size() * BAR + GAP;
        Svg svg = new Svg(WIDTH, TOP + groups.size() * groupHeight + GAP);
        svg.heading(GAP, 24, logarithmic ? title + " (logarithmic)" : title);
        double at = GAP;
        for (int i = 0; i < brokers.size(); i++) {
            svg.bar(at, 36, 12, 12, Svg.colour(i));
            svg.text(at + 18, 47, Svg.Anchor.START, brokers.get(i));
            at += 110;
        }
        double bottom = TOP + groups.size() * groupHeight;
        svg.rule(LEFT, TOP - 6, LEFT, bottom);
        double y = TOP;
        for (Group group : groups) {
            svg.text(LEFT - 10, y + brokers.size() * BAR / 2.0 + 4, Svg.Anchor.END, group.label());
            for (int i = 0; i < group.values().size(); i++) {
                Spread value = group.values().get(i);
                if (value != null) {
                    bar(svg, y + i * BAR, i, value, group.format());
                }
            }
            y += groupHeight;
        }
        return svg.document();
    }

    private void bar(Svg svg, double y, int broker, Spread value, DoubleFunction<String> format) {
        double end = LEFT + length(value.median());
        svg.bar(LEFT, y, length(value.median()), BAR - 2, Svg.colour(broker));
        if (value.max() > value.min()) {
            double middle = y + (BAR - 2) / 2.0;
            svg.stroke(LEFT + length(value.min()), middle, LEFT + length(value.max()), middle);
            end = Math.max(end, LEFT + length(value.max()));
        }
        svg.text(end + 6, y + BAR - 4, Svg.Anchor.START, format.apply(value.median()));
    }

    private double length(double value) {
        double room = WIDTH - LEFT - RIGHT;
        double largest = 0;
        double smallest = Double.MAX_VALUE;
        for (Group group : groups) {
            for (Spread spread : group.values()) {
                if (spread != null) {
                    largest = Math.max(largest, spread.max());
                    smallest = Math.min(smallest, spread.min());
                }
            }
        }
        if (largest <= 0) {
            return 0;
        }
        if (!logarithmic) {
            return room * value / largest;
        }
        // The smallest value still has a visible bar.
        double from = Math.log10(Math.max(smallest, largest / 1e6)) - 0.3;
        return room * Math.max(0, (Math.log10(Math.max(value, 1e-9)) - from) / (Math.log10(largest) - from));
    }
}
