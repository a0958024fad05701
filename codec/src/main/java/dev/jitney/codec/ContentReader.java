package dev.jitney.codec;

import dev.jitney.model.EncodedValue;
import dev.jitney.model.MessageContent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values inside a stored message, for those who need them as objects, mapped as {@link ValueReader} says.
 *
 * <p>The content has passed {@link IncomingMessageDecoder} once; should it be damaged nevertheless, the methods throw
 * {@link IllegalArgumentException}. Without state besides the content; any thread may call it.
 */
public final class ContentReader {
    private static final PropertyField[] FIELDS = PropertyField.values();

    private final MessageContent content;

    /** Reads that content, when asked. */
    public ContentReader(MessageContent content) {
        this.content = content;
    }

    /** What the body is made of (AMQP 1.0 part 3, 3.2.6 to 3.2.8). */
    public enum BodyKind {
        NONE,
        DATA,
        VALUE,
        SEQUENCE
    }

    /**
     * A body.
     *
     * @param kind what it is made of
     * @param data the bytes of all data sections one after another; empty for other kinds
     * @param values the one value, or the lists of all sequence sections; empty for other kinds
     */
    public record Body(BodyKind kind, byte[] data, List<@Nullable Object> values) {}

    /** Work that fails on damaged bytes. */
    @FunctionalInterface
    private interface Reading<T> {
        T read() throws MessageFormatException;
    }

    /** The fields of the properties section that are there. */
    public Map<PropertyField, Object> properties() {
        return checked(() -> {
            Map<PropertyField, Object> fields = new LinkedHashMap<>();
            AmqpReader in = reader(content.properties());
            if (in.hasRemaining()) {
                Sections.enter(in);
                int count = in.enterList();
                for (int i = 0; i < Math.min(count, FIELDS.length); i++) {
                    Object value = ValueReader.readStored(in);
                    if (value != null) {
                        fields.put(FIELDS[i], value);
                    }
                }
            }
            return fields;
        });
    }

    /** The sender's message annotations by name. */
    public Map<String, @Nullable Object> annotations() {
        return checked(() -> {
            Map<String, @Nullable Object> annotations = new LinkedHashMap<>();
            AmqpReader in = reader(content.annotations());
            while (in.hasRemaining()) {
                in.enterAnnotationKey();
                String name = in.text();
                annotations.put(name, ValueReader.readStored(in));
            }
            return annotations;
        });
    }

    /**
     * The application properties by name, described ones as {@link Described}.
     *
     * @param overrides win over those of the content, as in {@link dev.jitney.model.MessageView#propertyOverrides}
     */
    public Map<String, @Nullable Object> applicationProperties(Map<String, EncodedValue> overrides) {
        return checked(() -> {
            Map<String, @Nullable Object> properties = new LinkedHashMap<>();
            AmqpReader in = reader(content.applicationProperties());
            if (in.hasRemaining()) {
                Sections.enter(in);
                int count = in.enterMap();
                for (int i = 0; i < count; i += 2) {
                    String name = in.readString();
                    properties.put(name, readProperty(in));
                }
            }
            for (Map.Entry<String, EncodedValue> override : overrides.entrySet()) {
                byte[] encoding = override.getValue().encoding();
                properties.put(override.getKey(), readProperty(new AmqpReader(encoding, 0, encoding.length)));
            }
            return properties;
        });
    }

    private static @Nullable Object readProperty(AmqpReader in) throws MessageFormatException {
        if (in.peekCode() != Codes.DESCRIBED) {
            return ValueReader.readStored(in);
        }
        in.readCode();
        in.enterSymbol();
        String descriptor = in.text();
        return new Described(descriptor, ValueReader.readStored(in));
    }

    /** The body, without the footer. */
    public Body body() {
        return checked(() -> {
            AmqpReader in = reader(content.body());
            BodyKind kind = BodyKind.NONE;
            List<byte[]> pieces = new ArrayList<>(1);
            List<@Nullable Object> values = new ArrayList<>();
            while (in.hasRemaining()) {
                switch (Sections.enter(in)) {
                    case Codes.DATA -> {
                        kind = BodyKind.DATA;
                        in.enterBinary();
                        pieces.add(Arrays.copyOfRange(in.bytes(), in.valueFrom(), in.position()));
                    }
                    case Codes.AMQP_VALUE -> {
                        kind = BodyKind.VALUE;
                        values.add(ValueReader.readStored(in));
                    }
                    case Codes.AMQP_SEQUENCE -> {
                        kind = BodyKind.SEQUENCE;
                        values.add(ValueReader.readStored(in));
                    }
                    default -> in.skipValue();
                }
            }
            return new Body(kind, joined(pieces), values);
        });
    }

    private static byte[] joined(List<byte[]> pieces) {
        if (pieces.size() == 1) {
            return pieces.get(0);
        }
        int size = 0;
        for (byte[] piece : pieces) {
            size += piece.length;
        }
        ByteBuffer all = ByteBuffer.allocate(size);
        pieces.forEach(all::put);
        return all.array();
    }

    private static AmqpReader reader(ByteBuffer part) {
        int from = part.arrayOffset() + part.position();
        return new AmqpReader(part.array(), from, from + part.remaining());
    }

    private static <T> T checked(Reading<T> reading) {
        try {
            return reading.read();
        } catch (MessageFormatException damaged) {
            throw new IllegalArgumentException("Expected readable content: " + damaged.getMessage(), damaged);
        }
    }
}
