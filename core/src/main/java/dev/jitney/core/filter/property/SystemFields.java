package dev.jitney.core.filter.property;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.Codes;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.codec.Sections;
import dev.jitney.core.filter.value.Value;
import dev.jitney.core.filter.value.ValueDecoder;
import dev.jitney.model.MessageContent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The positions of the fields of the properties section and of the annotations that filters can read. */
final class SystemFields {
    private static final @Nullable SystemProperty[] FIELDS = new SystemProperty[13];
    private static final byte[] PARTITION_KEY = "x-opt-partition-key".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] VIA_PARTITION_KEY = "x-opt-via-partition-key".getBytes(StandardCharsets.US_ASCII);

    static {
        FIELDS[0] = SystemProperty.MESSAGE_ID;
        FIELDS[2] = SystemProperty.TO;
        FIELDS[3] = SystemProperty.LABEL;
        FIELDS[4] = SystemProperty.REPLY_TO;
        FIELDS[5] = SystemProperty.CORRELATION_ID;
        FIELDS[6] = SystemProperty.CONTENT_TYPE;
        FIELDS[10] = SystemProperty.SESSION_ID;
        FIELDS[12] = SystemProperty.REPLY_TO_SESSION_ID;
    }

    private final byte[] bytes;
    private final int limit;
    private final int[] at = new int[SystemProperty.values().length];

    private SystemFields(byte[] bytes, int limit) {
        this.bytes = bytes;
        this.limit = limit;
    }

    public static SystemFields of(MessageContent content) {
        SystemFields fields = new SystemFields(content.bytes(), content.sizeBytes());
        try {
            fields.readProperties(content.properties());
            fields.readAnnotations(content.annotations());
        } catch (MessageFormatException damaged) {
            throw new IllegalStateException("Expected readable properties: " + damaged.getMessage(), damaged);
        }
        return fields;
    }

    private void readProperties(ByteBuffer section) throws MessageFormatException {
        if (!section.hasRemaining()) {
            return;
        }
        int from = section.arrayOffset();
        AmqpReader in = new AmqpReader(section.array(), from, from + section.remaining());
        Sections.enter(in);
        int written = in.enterList();
        for (int i = 0; i < Math.min(written, FIELDS.length); i++) {
            SystemProperty field = FIELDS[i];
            if (field != null) {
                at[field.ordinal()] = in.position();
            }
            in.skipValue();
        }
    }

    private void readAnnotations(ByteBuffer pairs) throws MessageFormatException {
        int from = pairs.arrayOffset();
        AmqpReader in = new AmqpReader(pairs.array(), from, from + pairs.remaining());
        while (in.hasRemaining()) {
            in.enterAnnotationKey();
            if (in.isText(PARTITION_KEY)) {
                at[SystemProperty.PARTITION_KEY.ordinal()] = in.position();
            } else if (in.isText(VIA_PARTITION_KEY)) {
                at[SystemProperty.VIA_PARTITION_KEY.ordinal()] = in.position();
            }
            in.skipValue();
        }
    }

    /**
     * Returns a property as text; ids that are numbers, UUIDs or binaries are converted to text too (wire reference 4.3).
     */
    public Value read(SystemProperty property) {
        int from = at[property.ordinal()];
        if (from == 0) {
            return Value.NULL;
        }
        try {
            AmqpReader in = new AmqpReader(bytes, from, limit);
            int code = in.peekCode();
            Value value = ValueDecoder.read(in);
            return switch (code) {
                case Codes.VBIN8, Codes.VBIN32 -> Value.ofString(HexFormat.of().formatHex(value.octets()));
                case Codes.UUID -> Value.ofString(value.guid().toString());
                case Codes.ULONG0, Codes.SMALL_ULONG, Codes.ULONG ->
                    Value.ofString(Long.toUnsignedString(value.bits()));
                default -> value;
            };
        } catch (MessageFormatException damaged) {
            throw new IllegalStateException("Expected readable properties: " + damaged.getMessage(), damaged);
        }
    }
}
