package dev.jitney.gateway.http.messaging;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Dates as RFC 1123 writes them: {@code Sun, 06 Nov 1994 08:49:37 GMT} (HTTP reference 6.2). */
final class HttpDates {
    /** The formatter of the JDK writes days of one digit, which not all clients read. */
    private static final DateTimeFormatter WRITE =
            DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.US);

    private static final int LENGTH_MIN = 25;
    private static final int LENGTH_MAX = 35;
    private static final long LATEST_MS = 253_402_300_799_999L;

    private HttpDates() {}

    /** The date in whole seconds; what lies beyond the year 9999 is written as its end. */
    static String format(long msSinceEpoch) {
        return WRITE.format(
                Instant.ofEpochMilli(Math.min(msSinceEpoch, LATEST_MS)).atOffset(ZoneOffset.UTC));
    }

    /** The date, or null if the text is none. */
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
