package dev.jitney.model;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Durations as Service Bus writes and reads them: the ISO 8601 form of XML Schema (HTTP reference 6.1).
 *
 * <p>A year has 365 days and a month has 30, as in .NET. A duration at or above the largest .NET time span means "never"
 * and becomes {@link MessageView#NEVER}. Fractions of a millisecond are cut off.
 */
public final class IsoDurations {
    /** The text for "never". */
    public static final String MAX = "P10675199DT2H48M5.4775807S";

    private static final int MAX_CHARACTERS = 64;
    private static final Pattern FORM = Pattern.compile(
            "(-)?P(?:(\\d+)Y)?(?:(\\d+)M)?(?:(\\d+)D)?" + "(T(?:(\\d+)H)?(?:(\\d+)M)?(?:(\\d+(?:\\.\\d{1,9})?)S)?)?");
    private static final long SECOND_MS = 1_000;
    private static final long MINUTE_MS = 60 * SECOND_MS;
    private static final long HOUR_MS = 60 * MINUTE_MS;
    private static final long DAY_MS = 24 * HOUR_MS;
    private static final BigDecimal NEVER_FROM_MS =
            BigDecimal.valueOf(10_675_199 * DAY_MS + 2 * HOUR_MS + 48 * MINUTE_MS + 5 * SECOND_MS);

    /** {@code TimeSpan.MaxValue}, which counts in units of 100 ns. */
    private static final BigDecimal LARGEST_MS = BigDecimal.valueOf(Long.MAX_VALUE, 4);

    private static final BigInteger THOUSAND = BigInteger.valueOf(1_000);
    private static final BigInteger LARGEST_OF_JAVA_SECONDS = BigInteger.valueOf(Long.MAX_VALUE);

    private IsoDurations() {}

    /**
     * Parses a duration.
     *
     * @return milliseconds, possibly negative; {@link MessageView#NEVER} for the largest time span and anything above it
     * @throws IllegalArgumentException if the text is not a duration; its message is a sentence for the user
     */
    public static long parseMs(String text) {
        Matcher parts = text.length() > MAX_CHARACTERS ? FORM.matcher("") : FORM.matcher(text);
        if (!parts.matches() || text.endsWith("P") || text.endsWith("T")) {
            throw new IllegalArgumentException("Expected an ISO 8601 duration such as PT1M or P14D, but got '"
                    + (text.length() > MAX_CHARACTERS ? text.substring(0, MAX_CHARACTERS) + "…" : text) + "'.");
        }
        BigDecimal ms = exactMs(parts);
        boolean negative = parts.group(1) != null;
        if (ms.compareTo(NEVER_FROM_MS) >= 0) {
            return negative ? -NEVER_FROM_MS.longValueExact() : MessageView.NEVER;
        }
        return negative ? -ms.longValue() : ms.longValue();
    }

    /**
     * Parses a time to live, which must not be longer than the largest .NET time span. The largest span of Java is
     * treated like the one of .NET, because the Java SDK sends it for "never".
     *
     * @return milliseconds, possibly negative; {@link MessageView#NEVER} for the largest time span
     * @throws IllegalArgumentException if the text is not a duration or the duration is too long; its message is a
     *     sentence for the user
     */
    public static long parseTimeToLiveMs(String text) {
        long ms = parseMs(text);
        if (ms == MessageView.NEVER) {
            BigDecimal exact = exactMs(FORM.matcher(text));
            boolean java = exact.toBigInteger().divide(THOUSAND).equals(LARGEST_OF_JAVA_SECONDS);
            if (exact.compareTo(LARGEST_MS) > 0 && !java) {
                throw new IllegalArgumentException(
                        "Expected a duration of at most " + MAX + ", but got '" + text + "'.");
            }
        }
        return ms;
    }

    /**
     * Formats a duration in the canonical .NET form: days, hours, minutes, seconds, without components that are zero.
     *
     * @param ms milliseconds; {@link MessageView#NEVER} and values above the largest time span are formatted as
     *     {@link #MAX}
     */
    public static String format(long ms) {
        if (ms >= NEVER_FROM_MS.longValueExact()) {
            return MAX;
        }
        if (ms == 0) {
            return "PT0S";
        }
        StringBuilder out = new StringBuilder(ms < 0 ? "-P" : "P");
        long rest = Math.abs(Math.max(ms, -NEVER_FROM_MS.longValueExact()));
        append(out, rest / DAY_MS, 'D');
        rest %= DAY_MS;
        if (rest > 0) {
            out.append('T');
            append(out, rest / HOUR_MS, 'H');
            append(out, rest % HOUR_MS / MINUTE_MS, 'M');
            long secondsMs = rest % MINUTE_MS;
            if (secondsMs > 0) {
                out.append(BigDecimal.valueOf(secondsMs, 3).stripTrailingZeros().toPlainString())
                        .append('S');
            }
        }
        return out.toString();
    }

    private static BigDecimal exactMs(Matcher parts) {
        if (!parts.matches()) {
            throw new IllegalStateException("Expected a duration.");
        }
        return part(parts.group(2), 365 * DAY_MS)
                .add(part(parts.group(3), 30 * DAY_MS))
                .add(part(parts.group(4), DAY_MS))
                .add(part(parts.group(6), HOUR_MS))
                .add(part(parts.group(7), MINUTE_MS))
                .add(part(parts.group(8), SECOND_MS));
    }

    private static BigDecimal part(@Nullable String digits, long unitMs) {
        return digits == null ? BigDecimal.ZERO : new BigDecimal(digits).multiply(BigDecimal.valueOf(unitMs));
    }

    private static void append(StringBuilder out, long count, char unit) {
        if (count > 0) {
            out.append(count).append(unit);
        }
    }
}
