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
 * A reader of the values inside a stored message, which returns them as objects with the mapping of {@link ValueReader}.
 *
 * <p>The content has passed {@link IncomingMessageDecoder} before. If it is corrupt anyway, the methods throw
 * {@link IllegalArgumentException}. The reader has no state besides the content; any thread may call it.
 */
public final class ContentReader {
    private static final PropertyField[] FIELDS = PropertyField.values();

    private final MessageContent content;
    private final boolean typed;

    /** Creates a reader of that content, which it reads only when a method is called. */
    public ContentReader(MessageContent content) {
        this(content, false);
    }

    private ContentReader(MessageContent content, boolean typed) {
        this.content = content;
        this.typed = typed;
    }

    /**
     * Creates a reader whose values keep their AMQP types, as trees of maps, lists and texts: text, booleans and null are themselves,
     * everything else is {@code {"type": "int", "value": 5}}.
     */
    public static ContentReader typed(MessageContent content) {
        return new ContentReader(content, true);
    }

    private @Nullable Object readValue(AmqpReader in) throws MessageFormatException {
        return typed ? TypedValueReader.read(in) : ValueReader.readStored(in);
    }

    /** The kinds of body sections (AMQP 1.0 part 3, 3.2.6 to 3.2.8). */
    public enum BodyKind {
        NONE,
        DATA,
        VALUE,
        SEQUENCE
    }

    /**
     * The body of a message.
     *
     * @param kind the kind of its sections
     * @param data the bytes of all data sections one after another; empty for other kinds
     * @param values the one value, or the lists of all sequence sections; empty for other kinds
     */
    public record Body(BodyKind kind, byte[] data, List<@Nullable Object> values) {}

    /** A read operation that fails on corrupt bytes. */
    @FunctionalInterface
    private interface Reading<T> {
        T read() throws MessageFormatException;
    }

    /** Returns the fields of the properties section that are set. */
    public Map<PropertyField, Object> properties() {
        return checked(() -> {
            Map<PropertyField, Object> fields = new LinkedHashMap<>();
            AmqpReader in = reader(content.properties());
            if (in.hasRemaining()) {
                Sections.enter(in);
                int count = in.enterList();
                for (int i = 0; i < Math.min(count, FIELDS.length); i++) {
                    Object value = readValue(in);
                    if (value != null) {
                        fields.put(FIELDS[i], value);
                    }
                }
            }
            return fields;
        });
    }

    /** Returns the sender's message annotations by name. */
    public Map<String, @Nullable Object> annotations() {
        return checked(() -> {
            Map<String, @Nullable Object> annotations = new LinkedHashMap<>();
            AmqpReader in = reader(content.annotations());
            while (in.hasRemaining()) {
                in.enterAnnotationKey();
                String name = in.text();
                annotations.put(name, readValue(in));
            }
            return annotations;
        });
    }

    /**
     * Returns the application properties by name, with described values as {@link Described}.
     *
     * @param overrides replace properties of the content, as in {@link dev.jitney.model.MessageView#propertyOverrides}
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

    private @Nullable Object readProperty(AmqpReader in) throws MessageFormatException {
        if (typed || in.peekCode() != Codes.DESCRIBED) {
            return readValue(in);
        }
        in.readCode();
        // The descriptor is a symbol, except in properties that outcomes set before their values were checked.
        String descriptor = String.valueOf(readValue(in));
        return new Described(descriptor, readValue(in));
    }

    /** Returns the body without the footer. */
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
                        values.add(readValue(in));
                    }
                    case Codes.AMQP_SEQUENCE -> {
                        kind = BodyKind.SEQUENCE;
                        values.add(readValue(in));
                    }
                    default -> in.skipValue();
                }
            }
            return new Body(kind, joined(pieces), values);
        });
    }

    /**
     * Returns the number of values in the annotations, the application properties and the body, including those inside lists, maps and
     * arrays. It is an upper limit for arrays, and does not count data sections. It creates none of the values, so that a caller can
     * first find out how much memory they take.
     */
    public long valueCount() {
        return checked(() -> {
            long count = 0;
            AmqpReader annotations = reader(content.annotations());
            while (annotations.hasRemaining()) {
                annotations.enterAnnotationKey();
                count += ValueCount.of(annotations);
            }
            AmqpReader properties = reader(content.applicationProperties());
            if (properties.hasRemaining()) {
                Sections.enter(properties);
                count += ValueCount.of(properties);
            }
            AmqpReader body = reader(content.body());
            while (body.hasRemaining()) {
                if (Sections.enter(body) == Codes.DATA) {
                    body.skipValue();
                } else {
                    count += ValueCount.of(body);
                }
            }
            return count;
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
