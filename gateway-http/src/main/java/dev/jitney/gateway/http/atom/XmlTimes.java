package dev.jitney.gateway.http.atom;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** The dates in the format of the service: always with {@code Z} (HTTP reference 6.2). */
final class XmlTimes {
    /** The value for "never". */
    static final String NEVER = "0001-01-01T00:00:00Z";

    private static final long FIRST_MS =
            LocalDateTime.of(1, 1, 1, 0, 0).toInstant(ZoneOffset.UTC).toEpochMilli();
    private static final long LAST_MS =
            LocalDateTime.of(9999, 12, 31, 23, 59, 59).toInstant(ZoneOffset.UTC).toEpochMilli();

    private XmlTimes() {}

    /** Returns a date without a fraction, for the envelope. */
    static String seconds(long ms) {
        // Instant omits a fraction of zero.
        return Instant.ofEpochSecond(Math.floorDiv(bounded(ms), 1_000)).toString();
    }

    /** Returns a date with a fraction without trailing zeros. */
    static String precise(long ms) {
        String text = Instant.ofEpochMilli(bounded(ms)).toString();
        int end = text.length() - 1;
        if (text.indexOf('.') >= 0) {
            while (text.charAt(end - 1) == '0') {
                end--;
            }
        }
        return text.substring(0, end) + "Z";
    }

    private static long bounded(long ms) {
        return Math.max(FIRST_MS, Math.min(ms, LAST_MS)); // the range of dates in .NET
    }
}
