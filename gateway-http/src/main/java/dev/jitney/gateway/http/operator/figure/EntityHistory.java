package dev.jitney.gateway.http.operator.figure;

/** The samples of one entity: fine ones for the last minutes, and one for each minute of the last hour. Not thread-safe. */
final class EntityHistory {
    /** A sample at the begin of each interval, and one at the end of the last. */
    private static final int FINE_SAMPLES = FigureHistory.FIVE_MINUTES_MS / FigureHistory.FINE_STEP_MS + 1;

    private static final int MINUTE_SAMPLES = 60 + 1;

    final FigureSeries fine = new FigureSeries(FINE_SAMPLES);
    final FigureSeries minutes = new FigureSeries(MINUTE_SAMPLES);

    /** The number of the round in which it was sampled last. */
    long round;

    /** Returns the bytes that the samples of an entity need, with about 200 for the objects around them. */
    static long bytes() {
        return FigureSeries.bytes(FINE_SAMPLES) + FigureSeries.bytes(MINUTE_SAMPLES) + 200;
    }
}
