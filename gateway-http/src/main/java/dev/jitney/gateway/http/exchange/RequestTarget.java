package dev.jitney.gateway.http.exchange;

import dev.jitney.runtime.security.PercentCoding;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The decoded path and query of a request.
 *
 * <p>Each raw segment of the path is decoded and then split at decoded slashes, because some SDKs address an entity
 * {@code a/b} as {@code /a/b} and others as {@code /a%2Fb} (HTTP reference 2.1). A backslash is a slash (HTTP reference
 * 5.1). One slash at the end is ignored. Escapes are decoded once; a {@code +} is a plus sign in the path and a space
 * in the query.
 *
 * @param segments the path, without empty segments at its two ends; empty for {@code /}
 * @param query the first value of each key, keys in lower case
 */
public record RequestTarget(List<String> segments, Map<String, String> query) {
    private static final int MAX_QUERY_FIELDS = 100;

    public RequestTarget {
        segments = List.copyOf(segments);
        query = Map.copyOf(query);
    }

    /**
     * Parses a request target.
     *
     * @param rawPath as on the request line, up to the question mark
     * @param rawQuery the part after the question mark, or null
     * @throws RefusedException with 400 if it is not a path, or an escape is invalid
     */
    public static RequestTarget parse(@Nullable String rawPath, @Nullable String rawQuery) throws RefusedException {
        if (rawPath == null || !rawPath.startsWith("/")) {
            throw new RefusedException(HttpError.badRequest("Expected a path that starts with '/'."));
        }
        List<String> segments = new ArrayList<>();
        for (String raw : rawPath.substring(1).split("/", -1)) {
            segments.addAll(List.of(decode(raw).replace('\\', '/').split("/", -1)));
        }
        int last = segments.size() - 1;
        if (segments.get(last).isEmpty()) {
            segments.remove(last);
        }
        return new RequestTarget(segments, parseQuery(rawQuery));
    }

    /** Returns whether a query has an API version. An invalid query has none; the next handler refuses the request. */
    public static boolean tellsVersion(@Nullable String query) {
        try {
            return parseQuery(query).containsKey("api-version");
        } catch (RefusedException broken) {
            return false;
        }
    }

    private static Map<String, String> parseQuery(@Nullable String raw) throws RefusedException {
        Map<String, String> fields = new TreeMap<>();
        if (raw == null || raw.isEmpty()) {
            return fields;
        }
        String[] pairs = raw.split("&", MAX_QUERY_FIELDS + 1);
        if (pairs.length > MAX_QUERY_FIELDS) {
            throw new RefusedException(
                    HttpError.badRequest("Expected at most " + MAX_QUERY_FIELDS + " fields in the query."));
        }
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            String key = decode((equals < 0 ? pair : pair.substring(0, equals)).replace('+', ' '));
            String value = equals < 0 ? "" : decode(pair.substring(equals + 1).replace('+', ' '));
            fields.putIfAbsent(key.toLowerCase(Locale.ROOT), value);
        }
        return fields;
    }

    private static String decode(String raw) throws RefusedException {
        String decoded = PercentCoding.decode(raw);
        if (decoded == null) {
            throw new RefusedException(
                    HttpError.badRequest("'URI_PATH' contains an escape that is not percent-encoded UTF-8."));
        }
        return decoded;
    }

    /** Returns the whole path without slashes around it. */
    public String path() {
        return String.join("/", segments);
    }

    /** Returns the first {@code count} segments as a path. */
    public String head(int count) {
        return String.join("/", segments.subList(0, count));
    }

    /** Returns the number of segments. */
    public int size() {
        return segments.size();
    }

    /** Returns a segment counted from the end, 0 for the last one; empty if there are fewer segments. */
    public String fromEnd(int index) {
        int at = segments.size() - 1 - index;
        return at < 0 ? "" : segments.get(at);
    }

    /** Returns the value of a query field, whose key is compared without case, or null. */
    public @Nullable String query(String key) {
        return query.get(key.toLowerCase(Locale.ROOT));
    }
}
