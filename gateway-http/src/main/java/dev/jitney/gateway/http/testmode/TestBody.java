package dev.jitney.gateway.http.testmode;

import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.request.StrictJson;
import dev.jitney.model.ClientText;
import io.vertx.core.buffer.Buffer;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The members of the JSON object in the body of a request, which are checked when they are read. An empty body is an empty object. */
final class TestBody {
    /** The longest time of a request: about three years, so that message time stays far from its end. */
    private static final Duration TIME_MAX = Duration.ofDays(1_000);

    private final Map<String, @Nullable Object> members;

    /**
     * @param permitted the names of the members
     * @throws RefusedException with 400 if the body is no object, or has another member
     */
    TestBody(Buffer body, List<String> permitted) throws RefusedException {
        members = body.length() == 0 ? Map.of() : StrictJson.object(body.getBytes());
        for (String name : members.keySet()) {
            if (!permitted.contains(name)) {
                throw bad("Expected the members " + permitted + ", but got '" + ClientText.abbreviate(name) + "'.");
            }
        }
    }

    /** Returns a text, or null if it is absent. */
    @Nullable
    String text(String name) throws RefusedException {
        Object value = members.get(name);
        if (value == null || value instanceof String) {
            return (String) value;
        }
        throw bad("Expected a text in '" + name + "'.");
    }

    String requiredText(String name) throws RefusedException {
        String text = text(name);
        if (text == null) {
            throw bad("Expected a text in '" + name + "'.");
        }
        return text;
    }

    /** Returns a number, or the fallback if it is absent. */
    double number(String name, double fallback, double min, double max) throws RefusedException {
        Object value = members.get(name);
        if (value == null) {
            return fallback;
        }
        double number = value instanceof Number given ? given.doubleValue() : Double.NaN;
        if (number >= min && number <= max) {
            return number;
        }
        throw bad("Expected a number from " + plain(min) + " to " + plain(max) + " in '" + name + "', but got '"
                + ClientText.abbreviate(String.valueOf(value)) + "'.");
    }

    long requiredNumber(String name, long max) throws RefusedException {
        if (members.get(name) == null) {
            throw bad("Expected a number from 0 to " + max + " in '" + name + "'.");
        }
        return (long) number(name, 0, 0, max);
    }

    private static String plain(double number) {
        return Long.toString((long) number);
    }

    /** Returns a time such as {@code PT5M}, or zero if it is absent. */
    Duration time(String name) throws RefusedException {
        String text = text(name);
        if (text == null) {
            return Duration.ZERO;
        }
        try {
            Duration time = Duration.parse(text);
            if (!time.isNegative() && time.compareTo(TIME_MAX) <= 0) {
                return time;
            }
        } catch (DateTimeException e) {
            // refused below
        }
        throw bad("Expected a time from PT0S to P" + TIME_MAX.toDays() + "D in '" + name
                + "', such as PT5M for 5 minutes, but got '" + ClientText.abbreviate(text) + "'.");
    }

    /** Returns an object, or null if it is absent. */
    @Nullable
    Map<?, ?> object(String name) throws RefusedException {
        Object value = members.get(name);
        if (value == null || value instanceof Map) {
            return (Map<?, ?>) value;
        }
        throw bad("Expected a JSON object in '" + name + "'.");
    }

    private static RefusedException bad(String sentence) {
        return new RefusedException(HttpError.badRequest(sentence));
    }
}
