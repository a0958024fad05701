package dev.jitney.codec;

import dev.jitney.model.ClientText;
import dev.jitney.model.EncodedValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

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

    /** Checks and skips the value of the property whose name is from {@code nameFrom} to {@code nameTo}. */
    static void check(AmqpReader in, int nameFrom, int nameTo) throws MessageFormatException {
        int code = in.peekCode();
        switch (code) {
            case Codes.DESCRIBED -> checkDescribed(in, nameFrom, nameTo);
            case Codes.STR8, Codes.STR32 -> in.enterString();
            case Codes.LIST0, Codes.LIST8, Codes.LIST32 -> throw refused(in, nameFrom, nameTo, "a list");
            case Codes.MAP8, Codes.MAP32 -> throw refused(in, nameFrom, nameTo, "a map");
            case Codes.ARRAY8, Codes.ARRAY32 -> throw refused(in, nameFrom, nameTo, "an array");
            default -> in.skipValue();
        }
    }

    private static void checkDescribed(AmqpReader in, int nameFrom, int nameTo) throws MessageFormatException {
        in.readCode();
        int descriptor = in.peekCode();
        if (descriptor != Codes.SYM8 && descriptor != Codes.SYM32) {
            in.skipValue();
            throw refused(in, nameFrom, nameTo, "an unknown described value");
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
            throw refused(in, nameFrom, nameTo, "an unknown described value");
        }
    }

    private static MessageFormatException refused(AmqpReader in, int nameFrom, int nameTo, String what) {
        String name = new String(in.bytes(), nameFrom, nameTo - nameFrom, StandardCharsets.UTF_8);
        return MessageFormatException.argument("Expected a simple value in application property '"
                + ClientText.abbreviate(name) + "', but got " + what + ".");
    }
}
