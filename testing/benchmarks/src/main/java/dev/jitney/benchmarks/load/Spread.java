package dev.jitney.benchmarks.load;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/**
 * One figure of several runs. Quote the median; its distance from the other values shows how reliable it is.
 *
 * @param values measured values, in order of time
 */
public record Spread(double[] values) {

    /** Returns the quotients of two figures that were measured in turns. */
    public Spread over(Spread other) {
        return with(other, (mine, its) -> mine / its);
    }

    /** Combines two figures that were measured in turns, value by value. */
    public Spread with(Spread other, DoubleBinaryOperator operator) {
        double[] results = new double[values.length];
        Arrays.setAll(results, i -> operator.applyAsDouble(values[i], other.values[i]));
        return new Spread(results);
    }

    /** Returns the median. */
    public double median() {
        double[] sorted = sorted();
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    /** Returns the smallest value. */
    public double min() {
        return sorted()[0];
    }

    /** Returns the largest value. */
    public double max() {
        return sorted()[values.length - 1];
    }

    public double mean() {
        return Arrays.stream(values).average().orElse(Double.NaN);
    }

    /** Returns the median, with the smallest and largest value in brackets. */
    public String text(DoubleFunction<String> format) {
        double[] sorted = sorted();
        return format.apply(median()) + " (" + format.apply(sorted[0]) + " to "
                + format.apply(sorted[sorted.length - 1]) + ")";
    }

    /** Returns the same text for quotients. */
    public String ratioText() {
        return text(Spread::ratio);
    }

    /** Formats a quotient for people. */
    public static String ratio(double ratio) {
        return String.format(Locale.ROOT, "%.2f", ratio);
    }

    /** Returns a JSON object. */
    public String json() {
        return "{\"median\":" + number(median()) + ",\"mean\":" + number(mean()) + ",\"runs\":["
                + Arrays.stream(values).mapToObj(Spread::number).collect(Collectors.joining(",")) + "]}";
    }

    private double[] sorted() {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
