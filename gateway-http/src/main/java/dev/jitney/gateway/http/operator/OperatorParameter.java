package dev.jitney.gateway.http.operator;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A parameter in the query of an operation.
 *
 * @param kind its type
 * @param values the permitted values; empty for any
 * @param min the smallest number
 * @param max the largest number, or the largest number of characters
 * @param fallback the value if it is absent, for the description of the API, or null
 * @param description a sentence for the description of the API
 */
record OperatorParameter(
        String name,
        Kind kind,
        List<String> values,
        long min,
        long max,
        @Nullable String fallback,
        String description) {

    /** The types of parameters. */
    enum Kind {
        TEXT,
        /** Some of the permitted values with commas between them. */
        LIST,
        NUMBER
    }

    static OperatorParameter text(String name, int charactersMax, String description) {
        return new OperatorParameter(name, Kind.TEXT, List.of(), 0, charactersMax, null, description);
    }

    static OperatorParameter oneOf(String name, String fallback, List<String> values, String description) {
        return new OperatorParameter(name, Kind.TEXT, values, 0, 0, fallback, description);
    }

    static OperatorParameter list(String name, String fallback, List<String> values, String description) {
        return new OperatorParameter(name, Kind.LIST, values, 0, 0, fallback, description);
    }

    static OperatorParameter number(String name, long min, long max, long fallback, String description) {
        return new OperatorParameter(name, Kind.NUMBER, List.of(), min, max, Long.toString(fallback), description);
    }
}
