package dev.jitney.gateway.http.operator.request;

import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.exchange.RequestTarget;
import dev.jitney.model.ClientText;
import dev.jitney.runtime.security.PercentCoding;
import io.vertx.core.http.HttpMethod;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A request with checked parameters.
 *
 * @param variables the decoded variables of the path
 * @param query the parameters of the query
 */
public record OperatorRequest(OperatorOperation operation, Map<String, String> variables, Map<String, String> query) {
    /** The path of all operations. */
    public static final String PREFIX = "/$operator/v1";

    private static final int NUMBER_DIGITS_MAX = 19;

    /**
     * Finds the operation of a path.
     *
     * @param method the method of the request
     * @param rawPath the path below the version, not decoded: an entity is one segment, with {@code %2F} for its slashes
     * @param target the whole target
     * @throws RefusedException with 404 if there is no such operation, with 400 if a parameter is wrong
     */
    public static OperatorRequest of(HttpMethod method, String rawPath, RequestTarget target) throws RefusedException {
        List<String> segments =
                List.of(rawPath.substring(rawPath.startsWith("/") ? 1 : 0).split("/", -1));
        for (OperatorOperation operation : OperatorOperation.values()) {
            Map<String, String> variables = match(operation.path().substring(1).split("/"), segments);
            if (variables != null && operation.method().equals(method)) {
                return new OperatorRequest(operation, variables, checked(operation, target.query()));
            }
        }
        throw new RefusedException(HttpError.notFound("Expected a path such as /$operator/v1/entities. An entity is one"
                + " segment, with %2F for its slashes. GET /$operator/v1/openapi.json describes all paths."));
    }

    private static List<String> segments(String rawPath) {
        return List.of(rawPath.substring(rawPath.startsWith("/") ? 1 : 0).split("/", -1));
    }

    /** Returns the methods of a path; empty if there is no such path. */
    public static Set<String> methods(String rawPath) {
        List<String> segments = segments(rawPath);
        Set<String> methods = new TreeSet<>();
        for (OperatorOperation operation : OperatorOperation.values()) {
            if (match(operation.path().substring(1).split("/"), segments) != null) {
                methods.add(operation.method().name());
            }
        }
        return methods;
    }

    private static @Nullable Map<String, String> match(String[] pattern, List<String> segments) {
        if (pattern.length != segments.size()) {
            return null;
        }
        Map<String, String> variables = new TreeMap<>();
        for (int i = 0; i < pattern.length; i++) {
            String decoded = PercentCoding.decode(segments.get(i));
            if (decoded == null || decoded.isEmpty()) {
                return null;
            }
            if (pattern[i].startsWith("{")) {
                variables.put(pattern[i].substring(1, pattern[i].length() - 1), decoded);
            } else if (!pattern[i].equals(decoded)) {
                return null;
            }
        }
        return variables;
    }

    private static Map<String, String> checked(OperatorOperation operation, Map<String, String> query)
            throws RefusedException {
        Map<String, String> values = new TreeMap<>();
        for (Map.Entry<String, String> field : query.entrySet()) {
            OperatorParameter parameter = operation.parameters().stream()
                    .filter(each -> each.name().equalsIgnoreCase(field.getKey()))
                    .findFirst()
                    .orElseThrow(() -> new RefusedException(HttpError.badRequest("Expected the parameters "
                            + operation.parameters().stream()
                                    .map(OperatorParameter::name)
                                    .toList()
                            + ", but got '" + ClientText.abbreviate(field.getKey()) + "'.")));
            check(parameter, field.getValue());
            values.put(parameter.name(), field.getValue());
        }
        for (OperatorParameter parameter : operation.parameters()) {
            if (parameter.fallback() != null) {
                values.putIfAbsent(parameter.name(), parameter.fallback());
            }
        }
        return values;
    }

    private static void check(OperatorParameter parameter, String value) throws RefusedException {
        boolean fits = switch (parameter.kind()) {
            case TEXT ->
                parameter.values().isEmpty()
                        ? value.length() <= parameter.max()
                        : parameter.values().contains(value);
            case LIST -> parameter.values().containsAll(Arrays.asList(value.split(",", -1)));
            case NUMBER -> isBetween(value, parameter.min(), parameter.max());
            case TIME -> OperatorBody.time(value) != null;
            case SEQUENCE_NUMBERS, BOOLEAN -> false; // only in a body
        };
        if (!fits) {
            throw new RefusedException(HttpError.badRequest("Expected " + expected(parameter) + " in '"
                    + parameter.name() + "', but got '" + ClientText.abbreviate(value) + "'."));
        }
    }

    /** Returns a description of the permitted values. */
    static String expected(OperatorParameter parameter) {
        return switch (parameter.kind()) {
            case TEXT ->
                parameter.values().isEmpty()
                        ? "a text of at most " + parameter.max() + " characters"
                        : "one of " + parameter.values();
            case LIST -> "some of " + parameter.values() + " with commas between them";
            case NUMBER -> "a number from " + parameter.min() + " to " + parameter.max();
            case SEQUENCE_NUMBERS -> parameter.min() + " to " + parameter.max() + " sequence numbers in an array";
            case BOOLEAN -> "true or false";
            case TIME -> "a time such as 2026-11-28T03:00:00Z";
        };
    }

    private static boolean isBetween(String value, long min, long max) {
        Long number = number(value);
        return number != null && number >= min && number <= max;
    }

    /** Returns a number of at most 19 digits, or null. */
    public static @Nullable Long number(String value) {
        if (value.isEmpty()
                || value.length() > NUMBER_DIGITS_MAX
                || !value.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return null;
        }
        try {
            return Long.valueOf(value);
        } catch (NumberFormatException tooLarge) {
            return null;
        }
    }

    /** Returns a variable of the path. */
    public String variable(String name) {
        return variables.getOrDefault(name, "");
    }

    /** Returns a parameter, or null if it is absent and has no default. */
    public @Nullable String text(String name) {
        return query.get(name);
    }

    /** Returns a parameter with a default. */
    public long number(String name, long fallback) {
        Long number = number(query.getOrDefault(name, ""));
        return number == null ? fallback : number;
    }

    /** Returns a time in milliseconds since the epoch. */
    public long timeMs(String name, long fallback) {
        Instant time = OperatorBody.time(query.getOrDefault(name, ""));
        return time == null ? fallback : time.toEpochMilli();
    }

    /** Returns a parameter with several values. */
    public Set<String> list(String name) {
        return new LinkedHashSet<>(List.of(query.getOrDefault(name, "").split(",")));
    }
}
