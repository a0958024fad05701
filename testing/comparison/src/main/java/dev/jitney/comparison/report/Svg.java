package dev.jitney.comparison.report;

import java.util.List;
import java.util.Locale;

/** An SVG drawing, built element by element. Coordinates are pixels from the upper left corner. Used by one thread. */
final class Svg {
    /** The colors of the brokers, which people with red-green color blindness can also distinguish. */
    private static final List<String> COLOURS = List.of("#1f6feb", "#e08e0b", "#6e7781");

    private static final String INK = "#24292f";
    private static final String FAINT = "#d0d7de";

    private final int width;
    private final int height;
    private final StringBuilder body = new StringBuilder();

    /** The position of a text relative to its coordinates. */
    enum Anchor {
        START,
        MIDDLE,
        END
    }

    Svg(int width, int height) {
        this.width = width;
        this.height = height;
    }

    static String colour(int series) {
        return COLOURS.get(series % COLOURS.size());
    }

    void text(double x, double y, Anchor anchor, String text) {
        text(x, y, anchor, text, 13, "normal");
    }

    void heading(double x, double y, String text) {
        text(x, y, Anchor.START, text, 15, "bold");
    }

    private void text(double x, double y, Anchor anchor, String text, int size, String weight) {
        add(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\" font-weight=\"%s\" fill=\"%s\">%s</text>",
                x, y, anchor.name().toLowerCase(Locale.ROOT), size, weight, INK, escaped(text));
    }

    void bar(double x, double y, double barWidth, double barHeight, String colour) {
        add(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>",
                x, y, Math.max(barWidth, 1), barHeight, colour);
    }

    /** Draws a line of the frame. */
    void rule(double x1, double y1, double x2, double y2) {
        line(x1, y1, x2, y2, FAINT);
    }

    /** Draws a thin dark line over other elements. */
    void stroke(double x1, double y1, double x2, double y2) {
        line(x1, y1, x2, y2, INK);
    }

    private void line(double x1, double y1, double x2, double y2, String colour) {
        add(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"1\"/>",
                x1, y1, x2, y2, colour);
    }

    /**
     * @param points alternating x and y
     */
    void curve(List<Double> points, String colour, boolean dashed) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i + 1 < points.size(); i += 2) {
            path.append(String.format(Locale.ROOT, "%.1f,%.1f ", points.get(i), points.get(i + 1)));
        }
        add(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>",
                path.toString().trim(), colour, dashed ? " stroke-dasharray=\"6 4\"" : "");
    }

    /** Returns the whole document. */
    String document() {
        return String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
                                + " font-family=\"sans-serif\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>%n",
                        width,
                        height,
                        width,
                        height)
                + body
                + "</svg>"
                + System.lineSeparator();
    }

    private void add(String format, Object... values) {
        body.append(String.format(Locale.ROOT, format, values)).append(System.lineSeparator());
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
