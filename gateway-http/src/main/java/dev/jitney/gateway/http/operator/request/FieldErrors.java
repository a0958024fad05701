package dev.jitney.gateway.http.operator.request;

import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.ClientText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The wrong fields of one request, each with its first error, so that a client gets all of them at once. Not thread-safe. */
public final class FieldErrors {
    /** The maximum of fields in an answer. Further ones are not listed. */
    static final int FIELDS_MAX = 50;

    private static final int NAME_CHARACTERS_MAX = 100;

    private final Map<String, String> messages = new LinkedHashMap<>();

    /**
     * Adds an error, unless the field has one.
     *
     * @param field the name of the field, which may come from the client
     * @param message a sentence that says what was expected
     */
    public void add(String field, String message) {
        if (messages.size() < FIELDS_MAX) {
            messages.putIfAbsent(ClientText.cut(field, NAME_CHARACTERS_MAX), message);
        }
    }

    /** Adds the error for a value of a wrong type or form. */
    public void expected(String field, String expected, @Nullable Object value) {
        String shown = value instanceof Map
                ? "an object"
                : value instanceof List
                        ? "an array"
                        : value == null ? "null" : "'" + ClientText.abbreviate(String.valueOf(value)) + "'";
        add(field, "Expected " + expected + " in '" + field + "', but got " + shown + ".");
    }

    /** Returns whether a field has an error. */
    public boolean has(String field) {
        return messages.containsKey(field);
    }

    /** @throws RefusedException with 400 and all errors, if there are any */
    public void refuse() throws RefusedException {
        if (!messages.isEmpty()) {
            throw new RefusedException(HttpError.badRequest(messages.entrySet().stream()
                    .map(field -> new HttpError.Field(field.getKey(), field.getValue()))
                    .toList()));
        }
    }
}
