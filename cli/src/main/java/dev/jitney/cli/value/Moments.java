package dev.jitney.cli.value;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.function.BiFunction;

/** Points in time, as a time or as a duration from now. */
public final class Moments {
    private Moments() {}

    /**
     * Parses a time such as {@code 2026-01-31T12:00:00Z}, or a duration from now such as {@code 10m}.
     *
     * @throws IllegalArgumentException with a message for the user
     */
    public static OffsetDateTime parse(String text, Clock clock) {
        return parse(text, clock, OffsetDateTime::plus);
    }

    /**
     * Parses a time such as {@code 2026-01-31T12:00:00Z}, or a duration before now such as {@code 10m}.
     *
     * @throws IllegalArgumentException with a message for the user
     */
    public static OffsetDateTime past(String text, Clock clock) {
        return parse(text, clock, OffsetDateTime::minus);
    }

    private static OffsetDateTime parse(
            String text, Clock clock, BiFunction<OffsetDateTime, Duration, OffsetDateTime> distance) {
        try {
            return OffsetDateTime.parse(text);
        } catch (DateTimeException notATime) {
            try {
                OffsetDateTime now = OffsetDateTime.now(clock).withOffsetSameInstant(ZoneOffset.UTC);
                return distance.apply(now, Durations.parse(text));
            } catch (IllegalArgumentException | DateTimeException notADuration) {
                throw new IllegalArgumentException("Expected a duration such as 10m, or a time such as"
                        + " 2026-01-31T12:00:00Z, but got '" + text + "'.");
            }
        }
    }
}
