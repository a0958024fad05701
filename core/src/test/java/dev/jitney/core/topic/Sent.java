package dev.jitney.core.topic;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.AmqpWriter;
import dev.jitney.codec.ContentReader;
import dev.jitney.codec.IncomingMessageDecoder;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.codec.OutgoingMessageEncoder;
import dev.jitney.codec.PropertyField;
import dev.jitney.codec.Sections;
import dev.jitney.codec.Symbol;
import dev.jitney.codec.ValueWriter;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message as a sender encodes it and the broker decodes it. */
final class Sent {
    private static final int MESSAGE_ANNOTATIONS = 0x72;

    private final String text;
    private final Map<PropertyField, Object> fields = new EnumMap<>(PropertyField.class);
    private final Map<String, @Nullable Object> properties = new LinkedHashMap<>();
    private final Map<String, Object> annotations = new LinkedHashMap<>();

    private Sent(String text) {
        this.text = text;
        fields.put(PropertyField.MESSAGE_ID, text);
    }

    /** Returns a message with that body, which is also its id. */
    static Sent of(String text) {
        return new Sent(text);
    }

    Sent with(String property, @Nullable Object value) {
        properties.put(property, value);
        return this;
    }

    Sent with(PropertyField field, Object value) {
        fields.put(field, value);
        return this;
    }

    Sent annotated(String annotation, Object value) {
        annotations.put(annotation, value);
        return this;
    }

    /** Sets the time to live, also in the properties. */
    Sent livingMs(long timeToLiveMs) {
        fields.put(PropertyField.CREATION_TIME, Instant.ofEpochMilli(TopicFixture.START_MS));
        fields.put(PropertyField.ABSOLUTE_EXPIRY_TIME, Instant.ofEpochMilli(TopicFixture.START_MS + timeToLiveMs));
        return this;
    }

    IncomingMessage message() {
        AmqpWriter out = new AmqpWriter(256);
        if (!annotations.isEmpty()) {
            out.writeSection(MESSAGE_ANNOTATIONS);
            int map = out.beginMap(annotations.size());
            annotations.forEach((name, value) -> {
                out.writeSymbol(name);
                ValueWriter.write(out, value);
            });
            out.endCompound(map);
        }
        out.writeSection(Sections.PROPERTIES);
        int list = out.beginList(PropertyField.values().length);
        for (PropertyField field : PropertyField.values()) {
            Object value = fields.get(field);
            ValueWriter.write(
                    out, field == PropertyField.CONTENT_TYPE && value != null ? new Symbol((String) value) : value);
        }
        out.endCompound(list);
        if (!properties.isEmpty()) {
            out.writeSection(Sections.APPLICATION_PROPERTIES);
            int map = out.beginMap(properties.size());
            properties.forEach((name, value) -> {
                out.writeString(name);
                ValueWriter.write(out, value);
            });
            out.endCompound(map);
        }
        out.writeSection(Sections.DATA);
        out.writeBinary(text.getBytes(StandardCharsets.UTF_8));
        return decode(out.toByteBuffer());
    }

    private static IncomingMessage decode(ByteBuffer payload) {
        try {
            return new IncomingMessageDecoder(() -> "generated")
                    .decode(new AmqpReader(payload.array(), 0, payload.limit()), 0)
                    .get(0);
        } catch (MessageFormatException mistake) {
            throw new AssertionError(mistake);
        }
    }

    /** Returns a message as a receiver gets it, decoded again. */
    static IncomingMessage received(MessageView message) {
        return decode(new OutgoingMessageEncoder().encode(message));
    }

    /** Returns the application properties as a receiver decodes them. */
    static Map<String, @Nullable Object> properties(MessageView message) {
        return new ContentReader(received(message).content()).applicationProperties(Map.of());
    }

    /** Returns the fields of the properties section as a receiver decodes them. */
    static Map<PropertyField, Object> fields(MessageView message) {
        return new ContentReader(received(message).content()).properties();
    }

    /** Returns the body. */
    static String text(MessageView message) {
        return new String(new ContentReader(message.content()).body().data(), StandardCharsets.UTF_8);
    }
}
