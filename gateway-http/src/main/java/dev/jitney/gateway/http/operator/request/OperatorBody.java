package dev.jitney.gateway.http.operator.request;

import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.ClientText;
import io.vertx.core.buffer.Buffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The body of a request with checked members. */
public final class OperatorBody {
    private final Map<String, @Nullable Object> members;
    private final List<Long> sequenceNumbers;

    private OperatorBody(Map<String, @Nullable Object> members, List<Long> sequenceNumbers) {
        this.members = members;
        this.sequenceNumbers = sequenceNumbers;
    }

    /**
     * Checks a body.
     *
     * @param permitted the members that the operation has
     * @throws RefusedException with 400 if the body is no JSON object, or if a member is unknown, missing or wrong
     */
    public static OperatorBody of(Buffer body, List<OperatorParameter> permitted) throws RefusedException {
        Map<String, @Nullable Object> members = StrictJson.object(body.getBytes());
        for (String name : members.keySet()) {
            if (permitted.stream().noneMatch(member -> member.name().equals(name))) {
                throw refused("Expected the members "
                        + permitted.stream().map(OperatorParameter::name).toList() + ", but got '"
                        + ClientText.abbreviate(name) + "'.");
            }
        }
        List<Long> numbers = new ArrayList<>();
        for (OperatorParameter member : permitted) {
            check(member, members, numbers);
        }
        return new OperatorBody(members, List.copyOf(numbers));
    }

    private static void check(OperatorParameter member, Map<String, @Nullable Object> members, List<Long> numbers)
            throws RefusedException {
        Object value = members.get(member.name());
        if (value == null) {
            if (member.required()) {
                throw refused("Expected " + OperatorRequest.expected(member) + " in '" + member.name() + "'.");
            }
            return;
        }
        boolean fits = switch (member.kind()) {
            case TEXT -> value instanceof String text && fits(member, text);
            case BOOLEAN -> value instanceof Boolean;
            case TIME -> value instanceof String text && time(text) != null;
            case SEQUENCE_NUMBERS -> value instanceof List<?> array && collect(array, member, numbers);
            case NUMBER -> value instanceof Number && isBetween(OperatorRequest.number(value.toString()), member);
            case LIST -> false; // only in a query
        };
        if (!fits) {
            throw refused("Expected " + OperatorRequest.expected(member) + " in '" + member.name() + "', but got '"
                    + ClientText.abbreviate(String.valueOf(value)) + "'.");
        }
    }

    private static boolean isBetween(@Nullable Long number, OperatorParameter member) {
        return number != null && number >= member.min() && number <= member.max();
    }

    private static boolean fits(OperatorParameter member, String text) {
        return member.values().isEmpty()
                ? text.length() >= member.min() && text.length() <= member.max()
                : member.values().contains(text);
    }

    private static boolean collect(List<?> array, OperatorParameter member, List<Long> numbers) {
        Set<Long> distinct = new LinkedHashSet<>();
        for (Object value : array) {
            Long number = value instanceof String || value instanceof Number
                    ? OperatorRequest.number(value.toString())
                    : null;
            if (number == null) {
                return false;
            }
            distinct.add(number);
        }
        numbers.addAll(distinct);
        return array.size() >= member.min() && array.size() <= member.max();
    }

    /** Returns a time after 1970 in ISO 8601, or null if the text is none. */
    static @Nullable Instant time(String text) {
        try {
            Instant time = Instant.parse(text);
            return time.toEpochMilli() > 0 ? time : null;
        } catch (DateTimeException | ArithmeticException notATime) {
            return null;
        }
    }

    private static RefusedException refused(String sentence) {
        return new RefusedException(HttpError.badRequest(sentence));
    }

    /** Returns the chosen sequence numbers, each once. */
    public List<Long> sequenceNumbers() {
        return sequenceNumbers;
    }

    /** Returns a text, or null if it is absent. */
    public @Nullable String text(String name) {
        return (String) members.get(name);
    }

    /** Returns a number, or the fallback if it is absent. */
    public long number(String name, long fallback) {
        return members.get(name) instanceof Number number ? number.longValue() : fallback;
    }

    /** Returns whether a member is there and not null. */
    public boolean has(String name) {
        return members.get(name) != null;
    }

    /**
     * Returns the members that an operation on chosen messages has, without the choice.
     *
     * @throws RefusedException with 400 if one is missing or wrong
     */
    public OperatorBody only(List<OperatorParameter> permitted) throws RefusedException {
        Map<String, @Nullable Object> some = new LinkedHashMap<>();
        for (OperatorParameter member : permitted) {
            if (member.kind() != OperatorParameter.Kind.SEQUENCE_NUMBERS) {
                check(member, members, new ArrayList<>());
                some.put(member.name(), members.get(member.name()));
            }
        }
        return new OperatorBody(some, List.of());
    }

    public boolean flag(String name) {
        return Boolean.TRUE.equals(members.get(name));
    }
}
