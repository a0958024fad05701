package dev.jitney.simulation.model.row;

import dev.jitney.model.EncodedValue;
import dev.jitney.model.MessageView;
import dev.jitney.simulation.Violation;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A reader of message properties. It reads content as {@code docs/formats.md} describes it and AMQP encodings (part 1,
 * 1.6; part 3, 3.2), without the code of the broker.
 */
public final class PropertyBytes {
    /**
     * The fields of the properties section that actions may change, in their order. Empty entries are fields that are
     * skipped.
     */
    private static final List<String> FIELDS = List.of(
            "sys.messageid",
            "",
            "sys.to",
            "sys.label",
            "sys.replyto",
            "sys.correlationid",
            "sys.contenttype",
            "",
            "",
            "",
            "sys.sessionid",
            "",
            "sys.replytosessionid");

    private static final String PARTITION_KEY = "x-opt-partition-key";

    /** The properties that the broker and settlements add later. */
    private static final Set<String> ADDED = Set.of("deadletterreason", "deadlettererrordescription", "tried");

    private PropertyBytes() {}

    /** Returns the properties in content, with user properties as they are spelled. */
    public static Map<String, String> content(byte[] bytes, int from) {
        ByteBuffer in = ByteBuffer.wrap(bytes).position(from + 3);
        int annotations = in.getInt();
        int properties = in.getInt();
        int applicationProperties = in.getInt();
        int at = in.position() + annotations;
        Map<String, String> all = new HashMap<>();
        while (in.position() < at) {
            if (PARTITION_KEY.equals(text(in))) {
                all.put("sys.partitionkey", String.valueOf(value(in)));
            } else {
                value(in);
            }
        }
        if (properties > 0) {
            fields(in.position(at), all);
        }
        if (applicationProperties > 0) {
            in.position(at + properties);
            for (int i = items(in); i > 0; i -= 2) {
                all.put(String.valueOf(text(in)), String.valueOf(value(in)));
            }
        }
        return all;
    }

    private static void fields(ByteBuffer in, Map<String, String> all) {
        int count = items(in);
        for (int i = 0; i < count; i++) {
            String value = value(in);
            if (value != null && !FIELDS.get(i).isEmpty()) {
                all.put(FIELDS.get(i), value);
            }
        }
    }

    /** Reads the head of a section's list or map and returns the number of items. */
    private static int items(ByteBuffer in) {
        in.get();
        boolean isSmall = in.get() == 0x53;
        in.position(in.position() + (isSmall ? 1 : Long.BYTES));
        int code = in.get() & 0xff;
        return switch (code) {
            case 0x45 -> 0;
            case 0xc0, 0xc1 -> {
                in.get();
                yield in.get() & 0xff;
            }
            case 0xd0, 0xd1 -> {
                in.getInt();
                yield in.getInt();
            }
            default -> throw unknown(code);
        };
    }

    private static @Nullable String text(ByteBuffer in) {
        String value = value(in);
        return value == null ? null : value.substring(value.indexOf(' ') + 1);
    }

    /** Returns a value with its type, or null. */
    static @Nullable String value(ByteBuffer in) {
        int code = in.get() & 0xff;
        return switch (code) {
            case 0x40 -> null;
            case 0x41 -> "boolean true";
            case 0x42 -> "boolean false";
            case 0x43 -> "uint 0";
            case 0x44 -> "ulong 0";
            case 0x52 -> "uint " + (in.get() & 0xff);
            case 0x53 -> "ulong " + (in.get() & 0xff);
            case 0x54 -> "int " + in.get();
            case 0x55 -> "long " + in.get();
            case 0x70 -> "uint " + Integer.toUnsignedString(in.getInt());
            case 0x71 -> "int " + in.getInt();
            case 0x80 -> "ulong " + Long.toUnsignedString(in.getLong());
            case 0x81 -> "long " + in.getLong();
            case 0x83 -> "timestamp " + in.getLong();
            case 0xa1 -> "string " + text(in, in.get() & 0xff);
            case 0xa3 -> "symbol " + text(in, in.get() & 0xff);
            case 0xb1 -> "string " + text(in, in.getInt());
            case 0xb3 -> "symbol " + text(in, in.getInt());
            default -> throw unknown(code);
        };
    }

    private static String text(ByteBuffer in, int length) {
        byte[] utf8 = new byte[length];
        in.get(utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }

    private static Violation unknown(int code) {
        return new Violation("Expected an AMQP type that messages use, but got 0x" + Integer.toHexString(code) + ".");
    }

    /** Returns the visible properties of content with the properties set later. */
    public static VisibleProperties visible(Map<String, String> content, Map<String, String> overrides) {
        Map<String, String> all = new HashMap<>(content);
        all.putAll(overrides);
        SortedMap<String, String> folded = new TreeMap<>();
        all.forEach((spelled, value) -> {
            String name = spelled.toLowerCase(Locale.ROOT);
            if (!ADDED.contains(name) && folded.put(name, value) != null) {
                throw new Violation(
                        "Expected each property once, but " + name + " is spelled in two ways in " + all + ".");
            }
        });
        return new VisibleProperties(folded);
    }

    /** Returns the properties of a message that a client sees. */
    public static VisibleProperties visible(MessageView view) {
        Map<String, String> overrides = new LinkedHashMap<>();
        for (Map.Entry<String, EncodedValue> property : view.propertyOverrides().entrySet()) {
            overrides.put(
                    property.getKey(),
                    String.valueOf(value(ByteBuffer.wrap(property.getValue().encoding()))));
        }
        return visible(content(view.content().bytes(), 0), overrides);
    }
}
