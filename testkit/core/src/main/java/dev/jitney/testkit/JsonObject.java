package dev.jitney.testkit;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An object of an answer of the broker, by the types that are expected. */
record JsonObject(Map<?, ?> members) {

    /** @throws IllegalArgumentException if the value is not an object */
    static JsonObject of(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return new JsonObject(map);
        }
        throw new IllegalArgumentException("Expected a JSON object, but got " + Json.write(value) + ".");
    }

    String text(String name) {
        String value = textOrNull(name);
        if (value == null) {
            throw new IllegalArgumentException(
                    "Expected the member '" + name + "', but got " + Json.write(members) + ".");
        }
        return value;
    }

    @Nullable
    String textOrNull(String name) {
        Object value = members.get(name);
        return value == null ? null : value.toString();
    }

    /** Returns a whole number, which the broker also writes as text, or 0 if it is missing. */
    long number(String name) {
        Object value = members.get(name);
        if (value == null) {
            return 0;
        }
        try {
            return value instanceof Number number ? number.longValue() : Long.parseLong(value.toString());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + ": Expected a number, but got '" + value + "'.", e);
        }
    }

    double decimal(String name) {
        return members.get(name) instanceof Number number ? number.doubleValue() : 0;
    }

    boolean flag(String name) {
        return Boolean.TRUE.equals(members.get(name));
    }

    /** Returns a time, or null if it is missing or beyond the calendar. */
    @Nullable
    Instant time(String name) {
        String value = textOrNull(name);
        if (value == null) {
            return null;
        }
        try {
            return Instant.parse(value);
        } catch (DateTimeException beyondTheCalendar) {
            return null;
        }
    }

    /** Returns an object, which is empty if it is missing. */
    JsonObject object(String name) {
        return members.get(name) instanceof Map<?, ?> map ? new JsonObject(map) : new JsonObject(Map.of());
    }

    /** Returns the objects of a list, or nothing if it is missing. */
    List<JsonObject> objects(String name) {
        List<JsonObject> objects = new ArrayList<>();
        if (members.get(name) instanceof List<?> list) {
            list.forEach(element -> objects.add(of(element)));
        }
        return objects;
    }

    /** Returns the texts of a list, or nothing if it is missing. */
    List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        if (members.get(name) instanceof List<?> list) {
            list.forEach(element -> texts.add(String.valueOf(element)));
        }
        return texts;
    }
}
