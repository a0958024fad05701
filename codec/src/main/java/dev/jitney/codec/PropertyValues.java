package dev.jitney.codec;

import dev.jitney.model.ClientText;
import dev.jitney.model.EncodedValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The checks for values of application properties (MSG-6, wire reference 4.5). */
public final class PropertyValues {
    private static final byte[] URI = Described.URI.getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TIME_SPAN = Described.TIME_SPAN.getBytes(StandardCharsets.US_ASCII);
    private static final byte[] DATE_TIME_OFFSET = Described.DATE_TIME_OFFSET.getBytes(StandardCharsets.US_ASCII);

    private PropertyValues() {}

    /**
     * Reads a map of application properties, for example the ones that a settlement sets (wire reference 5.4).
     *
     * @param encodedMap a map with string or symbol keys and values that are valid for properties
     * @return the encoded values in the order of the map
     */
    public static Map<String, EncodedValue> readMap(byte[] encodedMap) throws MessageFormatException {
        AmqpReader in = new AmqpReader(encodedMap, 0, encodedMap.length);
        Map<String, EncodedValue> values = new LinkedHashMap<>();
        int count = in.enterMap();
        int end = in.compoundEnd();
        for (int i = 0; i < count; i += 2) {
            int code = in.peekCode();
            if (code == Codes.SYM8 || code == Codes.SYM32) {
                in.enterSymbol();
            } else {
                in.enterString();
            }
            String name = in.text();
            int valueFrom = in.position();
            check(in, in.valueFrom(), valueFrom);
            values.put(name, new EncodedValue(Arrays.copyOfRange(encodedMap, valueFrom, in.position())));
        }
        in.checkEnd(end);
        return values;
    }

    /** Checks that a value is valid for the property of that name. */
    public static void check(String name, EncodedValue value) throws MessageFormatException {
        byte[] encoding = value.encoding();
        String unexpected = skip(new AmqpReader(encoding, 0, encoding.length));
        if (unexpected != null) {
            throw refused(name, unexpected);
        }
    }

    /** Checks and skips the value of the property whose name is from {@code nameFrom} to {@code nameTo}. */
    static void check(AmqpReader in, int nameFrom, int nameTo) throws MessageFormatException {
        String unexpected = skip(in);
        if (unexpected != null) {
            throw refused(new String(in.bytes(), nameFrom, nameTo - nameFrom, StandardCharsets.UTF_8), unexpected);
        }
    }

    /** Skips a value. Returns null if it is valid for properties, otherwise its kind; then it is not skipped. */
    private static @Nullable String skip(AmqpReader in) throws MessageFormatException {
        int code = in.peekCode();
        switch (code) {
            case Codes.DESCRIBED -> {
                return skipDescribed(in) ? null : "an unknown described value";
            }
            case Codes.STR8, Codes.STR32 -> in.enterString();
            case Codes.LIST0, Codes.LIST8, Codes.LIST32 -> {
                return "a list";
            }
            case Codes.MAP8, Codes.MAP32 -> {
                return "a map";
            }
            case Codes.ARRAY8, Codes.ARRAY32 -> {
                return "an array";
            }
            default -> in.skipValue();
        }
        return null;
    }

    private static boolean skipDescribed(AmqpReader in) throws MessageFormatException {
        in.readCode();
        int descriptor = in.peekCode();
        if (descriptor != Codes.SYM8 && descriptor != Codes.SYM32) {
            in.skipValue();
            return false;
        }
        in.enterSymbol();
        boolean uri = in.isText(URI);
        boolean ticks = in.isText(TIME_SPAN) || in.isText(DATE_TIME_OFFSET);
        int code = in.peekCode();
        if (uri && (code == Codes.STR8 || code == Codes.STR32)) {
            in.enterString();
        } else if (ticks && (code == Codes.LONG || code == Codes.SMALL_LONG)) {
            in.skipValue();
        } else {
            return false;
        }
        return true;
    }

    private static MessageFormatException refused(String name, String what) {
        return MessageFormatException.argument("Expected a simple value in application property '"
                + ClientText.abbreviate(name) + "', but got " + what + ".");
    }
}
