package dev.jitney.comparison.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A chart of curves over the tenths of a backlog. Used by one thread. */
final class LineChart {
    private static final int WIDTH = 860;
    private static final int HEIGHT = 380;
    private static final int LEFT = 80;
    private static final int RIGHT = 190;
    private static final int TOP = 48;
    private static final int BOTTOM = 46;
    private static final int STEPS = 5;
    private static final int LEGEND_LINE = 22;

    private final String title;
    private final List<Curve> curves = new ArrayList<>();

    private record Curve(String label, int colour, boolean dashed, List<Double> values) {}

    LineChart(String title) {
        this.title = title;
    }

    /**
     * @param values one value for each tenth
     */
    void add(String label, int colour, boolean dashed, List<Double> values) {
        if (!values.isEmpty()) {
            curves.add(new Curve(label, colour, dashed, values));
        }
    }

    String svg() {
        Svg svg = new Svg(WIDTH, HEIGHT);
        svg.heading(12, 24, title);
        int parts =
                curves.stream().mapToInt(curve -> curve.values().size()).max().orElse(1);
        double top = niceTop(curves.stream()
                .flatMap(curve -> curve.values().stream())
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(1));
        double room = HEIGHT - TOP - BOTTOM;
        for (int i = 0; i <= STEPS; i++) {
            double y = HEIGHT - BOTTOM - room * i / STEPS;
            svg.rule(LEFT, y, WIDTH - RIGHT, y);
            svg.text(LEFT - 8, y + 4, Svg.Anchor.END, String.format(Locale.ROOT, "%,.0f", top * i / STEPS));
        }
        for (int i = 0; i < parts; i++) {
            svg.text(x(i, parts), HEIGHT - BOTTOM + 20, Svg.Anchor.MIDDLE, String.valueOf(i + 1));
        }
        svg.text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 8, Svg.Anchor.MIDDLE, "tenth of the messages");
        double legend = TOP + 10;
        for (Curve curve : curves) {
            List<Double> points = new ArrayList<>();
            for (int i = 0; i < curve.values().size(); i++) {
                points.add(x(i, parts));
                points.add(HEIGHT - BOTTOM - room * curve.values().get(i) / top);
            }
            svg.curve(points, Svg.colour(curve.colour()), curve.dashed());
            double x = WIDTH - RIGHT + 14;
            svg.curve(List.of(x, legend - 4, x + 30, legend - 4), Svg.colour(curve.colour()), curve.dashed());
            svg.text(x + 38, legend, Svg.Anchor.START, curve.label());
            legend += LEGEND_LINE;
        }
        return svg.document();
    }

    private static double x(int part, int parts) {
        return LEFT + (WIDTH - RIGHT - LEFT) * (part + 0.5) / parts;
    }

    /** Returns a round number at or above the largest value. */
    private static double niceTop(double largest) {
        double unit = Math.pow(10, Math.floor(Math.log10(Math.max(largest, 1))));
        for (double factor : new double[] {1, 1.5, 2, 2.5, 3, 4, 5, 7.5, 10}) {
            if (unit * factor >= largest) {
                return unit * factor;
            }
        }
        return unit * 10;
    }
}
