package dev.jitney.gateway.http.messaging;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The dates in the format of RFC 1123: {@code Sun, 06 Nov 1994 08:49:37 GMT} (HTTP reference 6.2). */
final class HttpDates {
    /** A formatter with two digits for the day; that of the JDK may write one, which some clients cannot read. */
    private static final DateTimeFormatter WRITE =
            DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.US);

    private static final int LENGTH_MIN = 25;
    private static final int LENGTH_MAX = 35;
    private static final long LATEST_MS = 253_402_300_799_999L;

    private HttpDates() {}

    /** Returns the date in whole seconds, at most the end of the year 9999. */
    static String format(long msSinceEpoch) {
        return WRITE.format(
                Instant.ofEpochMilli(Math.min(msSinceEpoch, LATEST_MS)).atOffset(ZoneOffset.UTC));
    }

    /** Returns the date, or null if the text is not a date. */
    static @Nullable Instant parse(String text) {
        if (text.length() < LENGTH_MIN || text.length() > LENGTH_MAX) {
            return null;
        }
        try {
            return Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text));
        } catch (DateTimeException notOne) {
            return null;
        }
    }
}
