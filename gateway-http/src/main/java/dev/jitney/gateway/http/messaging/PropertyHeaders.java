package dev.jitney.gateway.http.messaging;

import dev.jitney.codec.Described;
import dev.jitney.codec.Unsigned;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.ClientText;
import io.vertx.core.MultiMap;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The application properties as HTTP headers (HTTP reference 3.3).
 *
 * <table>
 * <caption>mapping</caption>
 * <tr><th>header value</th><th>AMQP</th></tr>
 * <tr><td>{@code "text"}</td><td>string; {@code "} and {@code \} follow a {@code \}, control characters are written as
 * {@code \}{@code u000a}</td></tr>
 * <tr><td>{@code "Sun, 06 Nov 1994 08:49:37 GMT"}</td><td>timestamp</td></tr>
 * <tr><td>{@code true}, {@code false}</td><td>boolean</td></tr>
 * <tr><td>{@code 7}</td><td>long; in responses every whole number</td></tr>
 * <tr><td>{@code 7.5}</td><td>double; in responses also float and, in seconds, time span</td></tr>
 * <tr><td>other text without quotes</td><td>string, in requests only</td></tr>
 * <tr><td>{@code "uuid"}</td><td>uuid, in responses only</td></tr>
 * </table>
 *
 * <p>Responses omit some properties and list their names: values without a format (null, binary, decimal, URI, date
 * with offset), and names that are not tokens or have a meaning in HTTP. Non-ASCII text in responses is UTF-8. Text in
 * requests is read as UTF-8 if it is valid UTF-8, otherwise as ISO 8859-1.
 */
final class PropertyHeaders {
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern WHOLE = Pattern.compile("[+-]?\\d{1,19}");
    private static final Pattern DECIMAL =
            Pattern.compile("[+-]?(\\d+\\.\\d*|\\.\\d+|\\d+(?=[eE]))([eE][+-]?\\d{1,4})?");
    private static final double TICKS_PER_SECOND = 10_000_000.0;
    private static final int UNICODE_ESCAPE = 6;
    private static final int HEX = 16;

    /** Headers of HTTP, browsers, proxies and tracing. {@code Priority} is missing because samples use it. */
    private static final Set<String> NEVER = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    private static final String[] NEVER_PREFIXES = {
        "accept", "access-control-", "content-", "if-", "proxy-", "sec-", "x-forwarded-", "x-ms-"
    };

    static {
        NEVER.addAll(Set.of(
                "Age",
                "Allow",
                "Alt-Svc",
                "Authorization",
                "Baggage",
                "BrokerProperties",
                "Cache-Control",
                "Connection"));
        NEVER.addAll(Set.of("Cookie", "Date", "DNT", "ETag", "Expect", "Expires", "Forwarded", "From", "Host"));
        NEVER.addAll(Set.of("Keep-Alive", "Last-Modified", "Location", "Max-Forwards", "Origin", "Pragma", "Range"));
        NEVER.addAll(Set.of("Referer", "Request-Id", "Retry-After", "Server", "Set-Cookie", "TE", "Traceparent"));
        NEVER.addAll(Set.of("Tracestate", "Trailer", "Transfer-Encoding", "Upgrade", "Upgrade-Insecure-Requests"));
        NEVER.addAll(Set.of("User-Agent", "Vary", "Via", "Warning", "WWW-Authenticate", "X-HTTP-Method-Override"));
        NEVER.addAll(Set.of("X-Real-IP", "X-Request-ID", "X-Requested-With", "Strict-Transport-Security"));
        NEVER.addAll(
                Set.of("ServiceBusAuthorization", "ServiceBusSupplementaryAuthorization", "HTTP2-Settings", "Link"));
    }

    private PropertyHeaders() {}

    /**
     * Returns the properties in the headers of a request.
     *
     * @throws RefusedException with 400 if a property is given twice, or a closing quote is missing
     */
    static Map<String, Object> read(MultiMap headers) throws RefusedException {
        Map<String, Object> properties = new LinkedHashMap<>();
        Set<String> seen = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (Map.Entry<String, String> header : headers) {
            String name = header.getKey();
            if (isNever(name)) {
                continue;
            }
            if (!seen.add(name)) {
                throw new RefusedException(HttpError.badRequest(
                        "Expected property '" + ClientText.abbreviate(name) + "' once, but got it twice."));
            }
            properties.put(name, parse(name, text(header.getValue())));
        }
        return properties;
    }

    private static boolean isNever(String name) {
        if (NEVER.contains(name)) {
            return true;
        }
        String lower = name.toLowerCase(Locale.ROOT);
        for (String prefix : NEVER_PREFIXES) {
            if (lower.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /** Decodes a header. Its bytes arrive as ISO 8859-1; most clients that send more than ASCII use UTF-8. */
    static String text(String header) {
        if (header.chars().allMatch(c -> c < 0x80)) {
            return header;
        }
        try {
            ByteBuffer octets = ByteBuffer.wrap(header.getBytes(StandardCharsets.ISO_8859_1));
            return StandardCharsets.UTF_8.newDecoder().decode(octets).toString();
        } catch (CharacterCodingException notUtf8) {
            return header;
        }
    }

    private static Object parse(String name, String raw) throws RefusedException {
        String text = raw.strip();
        if (text.startsWith("\"")) {
            String unquoted = unquote(name, text);
            Instant date = HttpDates.parse(unquoted);
            return date == null ? unquoted : date;
        }
        if (text.equals("true") || text.equals("false")) {
            return text.equals("true");
        }
        if (WHOLE.matcher(text).matches()) {
            try {
                return Long.parseLong(text);
            } catch (NumberFormatException beyondLong) {
                return text;
            }
        }
        return DECIMAL.matcher(text).matches() ? (Object) Double.parseDouble(text) : text;
    }

    private static String unquote(String name, String quoted) throws RefusedException {
        StringBuilder out = new StringBuilder(quoted.length());
        int end = quoted.length() - 1;
        int at = 1;
        while (at < end) {
            char c = quoted.charAt(at);
            char next = at + 1 < end ? quoted.charAt(at + 1) : 0;
            if (c == '\\' && (next == '"' || next == '\\')) {
                out.append(next);
                at += 2;
            } else if (c == '\\' && next == 'u' && isEscape(quoted, at, end)) {
                out.append((char) Integer.parseInt(quoted, at + 2, at + UNICODE_ESCAPE, HEX));
                at += UNICODE_ESCAPE;
            } else if (c == '\\' && at + 1 == end || c == '"') {
                break;
            } else {
                out.append(c);
                at++;
            }
        }
        if (at != end || quoted.charAt(end) != '"') {
            throw new RefusedException(HttpError.badRequest("Expected property '" + ClientText.abbreviate(name)
                    + "' to end with a quote, and a '\\' before each quote inside."));
        }
        return out.toString();
    }

    private static boolean isEscape(String quoted, int at, int end) {
        for (int i = at + 2; i < at + UNICODE_ESCAPE; i++) {
            if (i >= end || Character.digit(quoted.charAt(i), HEX) < 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Adds the properties that have a header format to the headers of a response.
     *
     * @return the names of the omitted properties, including all but the first of names that differ only by case
     */
    static List<String> write(Map<String, @Nullable Object> properties, MultiMap headers) {
        List<String> omitted = new ArrayList<>();
        properties.forEach((name, value) -> {
            String form = value == null ? null : format(value);
            if (form == null || !TOKEN.matcher(name).matches() || isNever(name) || headers.contains(name)) {
                omitted.add(name);
            } else {
                headers.set(name, form);
            }
        });
        return omitted;
    }

    private static @Nullable String format(Object value) {
        if (value instanceof String text) {
            return quote(text);
        }
        if (value instanceof Float || value instanceof Double) {
            double number = ((Number) value).doubleValue();
            return Double.isFinite(number) ? value.toString() : quote(value.toString());
        }
        if (value instanceof Boolean || value instanceof Unsigned || value instanceof Number) {
            return value.toString();
        }
        if (value instanceof UUID) {
            return quote(value.toString());
        }
        if (value instanceof Instant instant) {
            return quote(HttpDates.format(instant.toEpochMilli()));
        }
        if (value instanceof Described described
                && described.descriptor().equals(Described.TIME_SPAN)
                && described.value() instanceof Long ticks) {
            return Double.toString(ticks / TICKS_PER_SECOND);
        }
        return null;
    }

    private static String quote(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2).append('"');
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (octet & 0xff); // non-ASCII text is sent byte by byte
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c == 0x7f) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
