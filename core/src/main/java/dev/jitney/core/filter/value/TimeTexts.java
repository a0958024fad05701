package dev.jitney.core.filter.value;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Conversion of instants and time spans to and from text, with a precision of 100 ns. A malformed text causes an
 * IllegalArgumentException.
 */
public final class TimeTexts {
    private static final int LENGTH_MAX = 64;
    private static final int TICK_DIGITS = 7;
    private static final int NS_PER_TICK = 100;

    private static final LocalDateTime ORIGIN = LocalDateTime.of(1, 1, 1, 0, 0);

    private static final DateTimeFormatter INSTANT = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .appendLiteral('T')
            .appendPattern("HH:mm:ss")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, TICK_DIGITS, true)
            .toFormatter(Locale.ROOT);

    private static final Pattern DATE_TIME = Pattern.compile(
            "(\\d{4}-\\d\\d-\\d\\d)(?:T(\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?))?(Z|[+-]\\d\\d:\\d\\d)?");
    private static final Pattern ISO_DURATION = Pattern.compile("(-)?P(?:(\\d{1,9})Y)?(?:(\\d{1,9})M)?(?:(\\d{1,9})D)?"
            + "(?:T(?=\\d)(?:(\\d{1,9})H)?(?:(\\d{1,9})M)?(?:(\\d{1,12})(?:\\.(\\d{1,9}))?S)?)?");
    private static final Pattern NET_DURATION =
            Pattern.compile("(-)?(?:(\\d{1,8})\\.)?(\\d\\d?):(\\d\\d):(\\d\\d)(?:\\.(\\d{1,7}))?");

    private TimeTexts() {}

    /** Parses an instant in the form of XML Schema; without an offset it is UTC. */
    public static long parseInstant(String text) {
        Matcher parts = DATE_TIME.matcher(bounded(text));
        if (!parts.matches()) {
            throw malformed(text);
        }
        try {
            String time = parts.group(2) == null ? "00:00:00" : parts.group(2);
            LocalDateTime local = LocalDateTime.parse(parts.group(1) + "T" + time);
            String offset = parts.group(3);
            LocalDateTime utc = offset == null
                    ? local
                    : local.minusSeconds(ZoneOffset.of(offset).getTotalSeconds());
            long seconds = ORIGIN.until(utc, ChronoUnit.SECONDS);
            long ticks = Math.addExact(
                    Math.multiplyExact(seconds, Ticks.PER_SECOND), utc.get(ChronoField.NANO_OF_SECOND) / NS_PER_TICK);
            if (!Ticks.isInstant(ticks)) {
                throw malformed(text);
            }
            return ticks;
        } catch (DateTimeException | ArithmeticException unreal) {
            throw malformed(text);
        }
    }

    /** Formats an instant in UTC, such as 2026-11-21T15:00:00.5Z. */
    static String formatInstant(long ticks) {
        return INSTANT.format(
                        ORIGIN.plusSeconds(ticks / Ticks.PER_SECOND).plusNanos(ticks % Ticks.PER_SECOND * NS_PER_TICK))
                + "Z";
    }

    /** Parses a time span in the form of XML Schema (P1DT2H) or of .NET (1.02:00:00); a month has 30 days. */
    public static long parseSpan(String text) {
        Matcher iso = ISO_DURATION.matcher(bounded(text));
        if (iso.matches() && !text.endsWith("P")) {
            long days = 365 * number(iso.group(2)) + 30 * number(iso.group(3)) + number(iso.group(4));
            return span(iso.group(1), days, iso.group(5), iso.group(6), iso.group(7), iso.group(8), text);
        }
        Matcher net = NET_DURATION.matcher(text);
        if (net.matches() && number(net.group(3)) < 24 && number(net.group(4)) < 60 && number(net.group(5)) < 60) {
            return span(
                    net.group(1), number(net.group(2)), net.group(3), net.group(4), net.group(5), net.group(6), text);
        }
        throw malformed(text);
    }

    private static long span(
            @Nullable String sign,
            long days,
            @Nullable String hours,
            @Nullable String minutes,
            @Nullable String seconds,
            @Nullable String fraction,
            String text) {
        long whole = ((days * 24 + number(hours)) * 60 + number(minutes)) * 60 + number(seconds);
        try {
            long signedSeconds = sign == null ? whole : -whole;
            long tick = fraction == null ? 0 : number((fraction + "0000000").substring(0, TICK_DIGITS));
            return Math.addExact(Math.multiplyExact(signedSeconds, Ticks.PER_SECOND), sign == null ? tick : -tick);
        } catch (ArithmeticException tooLong) {
            throw malformed(text);
        }
    }

    /** Formats a time span like .NET: [-][d.]hh:mm:ss[.fffffff]. */
    static String formatSpan(long ticks) {
        // Quotients and remainders keep the sign, which is safe even for the smallest long, which has no positive
        // counterpart.
        long seconds = ticks / Ticks.PER_SECOND;
        long fraction = Math.abs(ticks % Ticks.PER_SECOND);
        long days = Math.abs(seconds / 86_400);
        long rest = Math.abs(seconds % 86_400);
        return (ticks < 0 ? "-" : "")
                + (days == 0 ? "" : days + ".")
                + String.format(Locale.ROOT, "%02d:%02d:%02d", rest / 3_600, rest / 60 % 60, rest % 60)
                + (fraction == 0 ? "" : String.format(Locale.ROOT, ".%07d", fraction));
    }

    /** Formats a time span like XML Schema: [-]PnDTnHnMn.nS, without components that are zero. */
    static String formatDuration(long ticks) {
        if (ticks == 0) {
            return "PT0S";
        }
        long seconds = ticks / Ticks.PER_SECOND;
        long fraction = Math.abs(ticks % Ticks.PER_SECOND);
        long rest = Math.abs(seconds % 86_400);
        StringBuilder out = new StringBuilder(ticks < 0 ? "-P" : "P");
        append(out, Math.abs(seconds / 86_400), "D");
        if (rest > 0 || fraction > 0) {
            out.append('T');
            append(out, rest / 3_600, "H");
            append(out, rest / 60 % 60, "M");
            if (rest % 60 > 0 || fraction > 0) {
                BigDecimal second = BigDecimal.valueOf(rest % 60 * Ticks.PER_SECOND + fraction, TICK_DIGITS);
                out.append(second.stripTrailingZeros().toPlainString()).append('S');
            }
        }
        return out.toString();
    }

    private static void append(StringBuilder out, long number, String unit) {
        if (number > 0) {
            out.append(number).append(unit);
        }
    }

    private static long number(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    private static String bounded(String text) {
        return text.length() > LENGTH_MAX ? "" : text;
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException(
                "Expected an instant or time span, but got " + text.length() + " characters in another format.");
    }
}
