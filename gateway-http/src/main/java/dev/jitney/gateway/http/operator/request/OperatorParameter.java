package dev.jitney.gateway.http.operator.request;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A parameter in the query of an operation, or a member of the JSON object in its body.
 *
 * @param kind its type
 * @param values the permitted values; empty for any
 * @param min the smallest number
 * @param max the largest number, or the largest number of characters
 * @param fallback the value if it is absent, for the description of the API, or null
 * @param description a sentence for the description of the API
 */
public record OperatorParameter(
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
        NUMBER,
        /** Sequence numbers in a JSON array. Only in a body. */
        SEQUENCE_NUMBERS,
        /** Only in a body. */
        BOOLEAN,
        /** A time in ISO 8601, such as {@code 2026-11-28T03:00:00Z}. */
        TIME;

        /** Returns whether the absence of the member of a body is refused. */
        boolean isRequired() {
            return this == SEQUENCE_NUMBERS || this == TIME;
        }
    }

    /** Returns whether the absence of the member of a body is refused. */
    boolean required() {
        return kind.isRequired() || kind == Kind.TEXT && min > 0;
    }

    static OperatorParameter text(String name, int charactersMax, String description) {
        return new OperatorParameter(name, Kind.TEXT, List.of(), 0, charactersMax, null, description);
    }

    /** Returns a text that must be there. */
    static OperatorParameter requiredText(String name, int charactersMax, String description) {
        return new OperatorParameter(name, Kind.TEXT, List.of(), 1, charactersMax, null, description);
    }

    static OperatorParameter sequenceNumbers(int max) {
        return new OperatorParameter(
                "sequenceNumbers",
                Kind.SEQUENCE_NUMBERS,
                List.of(),
                1,
                max,
                null,
                "The sequence numbers of the messages, as text or as numbers.");
    }

    static OperatorParameter flag(String name, String description) {
        return new OperatorParameter(name, Kind.BOOLEAN, List.of(), 0, 0, "false", description);
    }

    static OperatorParameter time(String name, String description) {
        return new OperatorParameter(name, Kind.TIME, List.of(), 0, 0, null, description);
    }

    static OperatorParameter oneOf(String name, String fallback, List<String> values, String description) {
        return new OperatorParameter(name, Kind.TEXT, values, 0, 0, fallback, description);
    }

    /** Returns one of some texts that must be there. */
    static OperatorParameter requiredOneOf(String name, List<String> values, String description) {
        return new OperatorParameter(name, Kind.TEXT, values, 1, 0, null, description);
    }

    static OperatorParameter list(String name, String fallback, List<String> values, String description) {
        return new OperatorParameter(name, Kind.LIST, values, 0, 0, fallback, description);
    }

    /** Returns a number without a default. */
    static OperatorParameter number(String name, long min, long max, String description) {
        return new OperatorParameter(name, Kind.NUMBER, List.of(), min, max, null, description);
    }

    static OperatorParameter number(String name, long min, long max, long fallback, String description) {
        return new OperatorParameter(name, Kind.NUMBER, List.of(), min, max, Long.toString(fallback), description);
    }
}
