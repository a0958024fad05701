package dev.jitney.gateway.amqp.management;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.codec.PropertyValues;
import dev.jitney.codec.Unsigned;
import dev.jitney.codec.ValueReader;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a request: the entries of its body, by name, or those of a map inside it. Integers may have any
 * width, and lists may be arrays. Errors name the missing or invalid argument.
 */
final class Arguments {
    private final String prefix;
    private final Map<?, ?> values;
    private final Map<String, byte[]> encodedMaps;
    private final @Nullable String associatedLinkName;

    private Arguments(
            String prefix, Map<?, ?> values, Map<String, byte[]> encodedMaps, @Nullable String associatedLinkName) {
        this.prefix = prefix;
        this.values = values;
        this.encodedMaps = encodedMaps;
        this.associatedLinkName = associatedLinkName;
    }

    static Arguments of(RequestMessage request) throws MessageFormatException {
        String linkName = request.textProperty("associated-link-name");
        if (request.body() instanceof Map<?, ?> map) {
            return new Arguments("", map, request.encodedMaps(), linkName);
        }
        if (request.body() == null) {
            return new Arguments("", Map.of(), Map.of(), linkName);
        }
        throw MessageFormatException.argument("Expected a map as the body of the request, but got another value.");
    }

    /**
     * Returns the name of the client's link for which the request is made, or null if the request does not say (wire
     * reference 6.1).
     */
    @Nullable
    String associatedLinkName() {
        return associatedLinkName;
    }

    /** Returns the name of an argument for error texts, with the maps around it. */
    String shown(String name) {
        return prefix + name;
    }

    /** Returns the entries of a required map. */
    Arguments map(String name) throws MessageFormatException {
        required(name);
        Arguments inner = optionalMap(name);
        if (inner == null) {
            throw wrongType(name, "a map");
        }
        return inner;
    }

    /** Returns the entries of a map, or null if the map is null or missing. */
    @Nullable
    Arguments optionalMap(String name) throws MessageFormatException {
        if (values.get(name) == null) {
            return null;
        }
        byte[] encoded = encodedMap(name);
        if (!(values.get(name) instanceof Map<?, ?> map)) {
            throw wrongType(name, "a map");
        }
        return new Arguments(
                prefix + name + ".",
                map,
                ValueReader.encodedMaps(new AmqpReader(encoded, 0, encoded.length)),
                associatedLinkName);
    }

    /** Returns the encoded map, with all its types; empty if it is null or missing. */
    byte @Nullable [] optionalEncodedMap(String name) throws MessageFormatException {
        return values.get(name) == null ? null : encodedMap(name);
    }

    private byte[] encodedMap(String name) throws MessageFormatException {
        byte[] encoded = encodedMaps.get(name);
        if (encoded == null) {
            throw wrongType(name, "a map");
        }
        return encoded;
    }

    long integer(String name) throws MessageFormatException {
        return toLong(required(name), shown(name));
    }

    /** Returns a count of at least one. A value beyond the range of an int means "as many as possible". */
    int count(String name) throws MessageFormatException {
        long count = integer(name);
        if (count <= 0) {
            throw outOfRange("Expected a positive number in argument '" + shown(name) + "', but got " + count + ".");
        }
        return (int) Math.min(count, Integer.MAX_VALUE);
    }

    /** Returns a boolean; false if it is null or missing. */
    boolean flag(String name) throws MessageFormatException {
        Object value = values.get(name);
        if (value == null || value instanceof Boolean) {
            return Boolean.TRUE.equals(value);
        }
        throw wrongType(name, "a boolean");
    }

    @Nullable
    String optionalText(String name) throws MessageFormatException {
        Object value = values.get(name);
        if (value == null || value instanceof String) {
            return (String) value;
        }
        throw wrongType(name, "a string");
    }

    String text(String name) throws MessageFormatException {
        if (required(name) instanceof String text) {
            return text;
        }
        throw wrongType(name, "a string");
    }

    byte @Nullable [] optionalBinary(String name) throws MessageFormatException {
        Object value = values.get(name);
        if (value == null || value instanceof byte[]) {
            return (byte[]) value;
        }
        throw wrongType(name, "a binary");
    }

    /** Returns the number of elements to skip. A value beyond the range of an int means "as many as possible". */
    int skip() throws MessageFormatException {
        long skip = integer("skip");
        if (skip < 0) {
            throw outOfRange("Expected 0 or more in argument '" + shown("skip") + "', but got " + skip + ".");
        }
        return (int) Math.min(skip, Integer.MAX_VALUE);
    }

    /** Returns a timestamp in milliseconds since the epoch. */
    long timestamp(String name) throws MessageFormatException {
        if (required(name) instanceof Instant instant) {
            return instant.toEpochMilli();
        }
        throw wrongType(name, "a timestamp");
    }

    List<Long> integers(String name) throws MessageFormatException {
        List<?> elements = list(name);
        List<Long> numbers = new ArrayList<>(elements.size());
        for (Object element : elements) {
            numbers.add(toLong(element, shown(name)));
        }
        return numbers;
    }

    List<UUID> lockTokens() throws MessageFormatException {
        String name = "lock-tokens";
        List<UUID> tokens = new ArrayList<>();
        for (Object element : list(name)) {
            if (!(element instanceof UUID token)) {
                throw wrongType(name, "uuids");
            }
            tokens.add(token);
        }
        if (tokens.isEmpty()) {
            throw MessageFormatException.argument(
                    "Expected at least one element in argument 'lock-tokens', but got none.");
        }
        return tokens;
    }

    List<?> list(String name) throws MessageFormatException {
        if (required(name) instanceof List<?> list) {
            return list;
        }
        throw wrongType(name, "an array or list");
    }

    /** Returns values in their encoding; none if the argument is missing. */
    Map<String, EncodedValue> properties(String name) throws MessageFormatException {
        byte[] encoded = optionalEncodedMap(name);
        return encoded == null ? Map.of() : PropertyValues.readMap(encoded);
    }

    private Object required(String name) throws MessageFormatException {
        Object value = values.get(name);
        if (value == null) {
            throw MessageFormatException.argument("Expected argument '" + shown(name) + "', but it is missing.");
        }
        return value;
    }

    private static long toLong(@Nullable Object value, String shown) throws MessageFormatException {
        if (value instanceof Number number && !(value instanceof Double) && !(value instanceof Float)) {
            long result = number.longValue();
            if (value instanceof Unsigned unsigned && !unsigned.fitsLong()) {
                throw outOfRange(
                        "Expected a signed 64-bit number in argument '" + shown + "', but got a larger number.");
            }
            return result;
        }
        throw notA("integers", shown);
    }

    /** Returns the exception for an argument of the wrong type. */
    MessageFormatException wrongType(String name, String expected) {
        return notA(expected, shown(name));
    }

    private static MessageFormatException notA(String expected, String shown) {
        return MessageFormatException.argument(
                "Expected " + expected + " in argument '" + shown + "', but got another type.");
    }

    static MessageFormatException outOfRange(String description) {
        return new MessageFormatException(new Rejection(ErrorCode.OUT_OF_RANGE, description));
    }
}
