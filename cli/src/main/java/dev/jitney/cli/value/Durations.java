package dev.jitney.cli.value;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Service Bus writes them ({@code P14D}), and in a short form ({@code 14d}, {@code 1h30m}, {@code never}). */
public final class Durations {
    /** The duration that Service Bus uses for "never": the longest time span of .NET. */
    public static final Duration MAX = Duration.parse("P10675199DT2H48M5.4775807S");

    private static final Pattern FRIENDLY =
            Pattern.compile("(?:(\\d+)d)?(?:(\\d+)h)?(?:(\\d+)m)?(?:(\\d+(?:\\.\\d+)?)s)?(?:(\\d+)ms)?");
    /** The smallest duration that means never: .NET clients write it with other precision, Java clients as their maximum. */
    private static final Duration NEARLY_MAX = MAX.minusSeconds(1);

    private Durations() {}

    /**
     * Parses either form.
     *
     * @throws IllegalArgumentException with a message for the user
     */
    public static Duration parse(String text) {
        String value = text.strip();
        if (value.equalsIgnoreCase("never") || value.equalsIgnoreCase("max")) {
            return MAX;
        }
        try {
            Duration read = value.toUpperCase(Locale.ROOT).startsWith("P")
                    ? Duration.parse(value.toUpperCase(Locale.ROOT))
                    : friendly(value);
            if (!read.isNegative()) {
                return normal(read);
            }
        } catch (RuntimeException e) {
            // The exception below covers this case.
        }
        throw new IllegalArgumentException("Expected a duration such as 30s, 5m, 1h30m, 14d, never or ISO 8601"
                + " (PT30S, P14D), but got '" + text + "'.");
    }

    /** Returns {@link #MAX} for all durations that mean never. */
    public static Duration normal(Duration duration) {
        return duration.compareTo(NEARLY_MAX) >= 0 ? MAX : duration;
    }

    private static Duration friendly(String value) {
        Matcher matcher = FRIENDLY.matcher(value.toLowerCase(Locale.ROOT));
        if (value.isEmpty() || !matcher.matches()) {
            throw new IllegalArgumentException(value);
        }
        return Duration.ofDays(number(matcher.group(1)))
                .plusHours(number(matcher.group(2)))
                .plusMinutes(number(matcher.group(3)))
                .plus(seconds(matcher.group(4)))
                .plusMillis(number(matcher.group(5)));
    }

    private static long number(@org.jspecify.annotations.Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    private static Duration seconds(@org.jspecify.annotations.Nullable String digits) {
        return digits == null
                ? Duration.ZERO
                : Duration.ofNanos(new BigDecimal(digits)
                        .movePointRight(9)
                        .setScale(0, RoundingMode.DOWN)
                        .longValueExact());
    }

    /** Returns ISO 8601 with days, as Service Bus writes it: {@code P14D}, {@code P1DT2H}, {@code PT0S}. */
    public static String iso(Duration duration) {
        Duration value = normal(duration);
        long days = value.toDays();
        String time = value.minusDays(days).toString();
        if (days == 0) {
            return time;
        }
        return time.equals("PT0S") ? "P" + days + "D" : "P" + days + "D" + time.substring(1);
    }

    /** Returns the short form: {@code 14d}, {@code 1h30m}, {@code never}. */
    public static String readable(Duration duration) {
        Duration value = normal(duration);
        if (value.equals(MAX)) {
            return "never";
        }
        String text = iso(value).substring(1).replace("T", "").toLowerCase(Locale.ROOT);
        return text.equals("0s") ? "0" : text;
    }
}
