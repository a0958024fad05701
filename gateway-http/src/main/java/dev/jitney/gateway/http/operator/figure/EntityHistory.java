package dev.jitney.gateway.http.operator.figure;

import org.jspecify.annotations.Nullable;

/** The samples of one entity: fine ones for the last minutes, and one for each minute of the last hour. Not thread-safe. */
final class EntityHistory {
    /** A sample at the begin of each interval, and one at the end of the last. */
    private static final int FINE_SAMPLES = FigureHistory.FIVE_MINUTES_MS / FigureHistory.FINE_STEP_MS + 1;

    private static final int MINUTE_SAMPLES = 60 + 1;

    final FigureSeries fine = new FigureSeries(FINE_SAMPLES);
    final FigureSeries minutes = new FigureSeries(MINUTE_SAMPLES);

    /** The latest fine sample that is at least a minute old, or the oldest one. Kept here, because a search takes longer. */
    @Nullable
    FigureSample oneMinuteAgo;

    /** The latest fine sample that is at least five minutes old, or the oldest one. */
    @Nullable
    FigureSample fiveMinutesAgo;

    /** The number of the round in which it was sampled last. */
    long round;

    void add(FigureSample sample) {
        fine.add(sample);
        oneMinuteAgo = fine.at(sample.timeMs() - FigureHistory.ONE_MINUTE_MS);
        fiveMinutesAgo = fine.at(sample.timeMs() - FigureHistory.FIVE_MINUTES_MS);
        long last = minutes.size() == 0
                ? Long.MIN_VALUE
                : minutes.get(minutes.size() - 1).timeMs();
        // Rounds begin up to a second late, so a minute may be five rounds and a bit.
        if (last == Long.MIN_VALUE
                || sample.timeMs() - last > FigureHistory.ONE_MINUTE_MS - FigureHistory.FINE_STEP_MS / 2) {
            minutes.add(sample);
        }
    }

    /** Returns the bytes that the samples of an entity need, with about 300 for the objects around them. */
    static long bytes() {
        return FigureSeries.bytes(FINE_SAMPLES) + FigureSeries.bytes(MINUTE_SAMPLES) + 300;
    }
}
