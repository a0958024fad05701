package dev.jitney.testing.client;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Decoder;
import org.apache.qpid.protonj2.codec.DecoderState;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.codec.EncoderState;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Data;
import org.apache.qpid.protonj2.types.messaging.Header;
import org.apache.qpid.protonj2.types.messaging.MessageAnnotations;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.apache.qpid.protonj2.types.messaging.Section;
import org.jspecify.annotations.Nullable;

/** The codec of messages (AMQP 1.0 part 3, section 3.2). */
public final class Messages {
    private static final Symbol SEQUENCE_NUMBER = Symbol.valueOf("x-opt-sequence-number");
    private static final Symbol ENQUEUED = Symbol.valueOf("x-opt-enqueued-time");
    private static final Symbol STATE = Symbol.valueOf("x-opt-message-state");
    private static final Symbol SCHEDULED = Symbol.valueOf("x-opt-scheduled-enqueue-time");
    private static final byte[] NONE = {};

    private Messages() {}

    /** Encodes a message with an id and one data section, which comes last. */
    public static byte[] encode(String messageId, byte[] body) {
        return encode(messageId, null, body, Map.of(), null);
    }

    /** Encodes a message of a session. */
    public static byte[] encodeOf(String sessionId, String messageId, byte[] body) {
        return encode(messageId, sessionId, body, Map.of(), null);
    }

    /** Encodes a message with application properties. */
    public static byte[] encode(String messageId, byte[] body, Map<String, Object> applicationProperties) {
        return encode(messageId, null, body, applicationProperties, null);
    }

    /** Encodes a message with the header {@code durable}, for brokers that would not store it otherwise. */
    public static byte[] encodeDurable(String messageId, byte[] body, Map<String, Object> applicationProperties) {
        Writer header = new Writer();
        header.write(new Header().setDurable(true));
        byte[] rest = encode(messageId, body, applicationProperties);
        byte[] whole = new byte[header.buffer.getReadableBytes() + rest.length];
        int start = whole.length - rest.length;
        header.buffer.copyInto(header.buffer.getReadOffset(), whole, 0, start);
        System.arraycopy(rest, 0, whole, start, rest.length);
        return whole;
    }

    /**
     * Encodes a scheduled message.
     *
     * @param scheduledMs the enqueue time in milliseconds since the epoch
     */
    public static byte[] encodeScheduled(String messageId, byte[] body, long scheduledMs) {
        return encode(messageId, null, body, Map.of(), scheduledMs);
    }

    /** Encodes a scheduled message with application properties. */
    public static byte[] encodeScheduled(
            String messageId, byte[] body, Map<String, Object> applicationProperties, long scheduledMs) {
        return encode(messageId, null, body, applicationProperties, scheduledMs);
    }

    private static byte[] encode(
            String messageId,
            @Nullable String sessionId,
            byte[] body,
            Map<String, Object> applicationProperties,
            @Nullable Long scheduledMs) {
        Writer writer = new Writer();
        if (scheduledMs != null) {
            Map<Symbol, Object> annotations = new HashMap<>();
            annotations.put(SCHEDULED, new java.util.Date(scheduledMs));
            writer.write(new MessageAnnotations(annotations));
        }
        Properties properties = new Properties().setMessageId(messageId);
        if (sessionId != null) {
            properties.setGroupId(sessionId);
        }
        writer.write(properties);
        if (!applicationProperties.isEmpty()) {
            writer.write(new ApplicationProperties(applicationProperties));
        }
        writer.write(new Data(body));
        byte[] bytes = new byte[writer.buffer.getReadableBytes()];
        writer.buffer.copyInto(writer.buffer.getReadOffset(), bytes, 0, bytes.length);
        return bytes;
    }

    /** Returns the offset of an ASCII text in an encoded message, to change it there between sends. */
    public static int find(byte[] encoded, String text) {
        byte[] wanted = text.getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i <= encoded.length - wanted.length; i++) {
            if (ByteBuffer.wrap(encoded, i, wanted.length).equals(ByteBuffer.wrap(wanted))) {
                return i;
            }
        }
        throw new IllegalArgumentException("Expected '" + text + "' in the message, but it is missing.");
    }

    /** Decodes an encoded message. */
    public static ReceivedMessage decode(byte[] encoded) {
        return decode(ProtonByteArrayBufferAllocator.wrapped(encoded));
    }

    static ProtonBuffer encodeRequest(
            String id, String replyTo, Map<String, Object> applicationProperties, Map<String, Object> body) {
        Writer writer = new Writer();
        writer.write(new Properties().setMessageId(id).setReplyTo(replyTo));
        writer.write(new ApplicationProperties(applicationProperties));
        writer.write(new AmqpValue<>(body));
        return writer.buffer;
    }

    static ReceivedMessage decode(ProtonBuffer buffer) {
        Decoder decoder = CodecFactory.getDefaultDecoder();
        DecoderState state = decoder.newDecoderState();
        Properties properties = new Properties();
        Map<String, Object> applicationProperties = Map.of();
        long sequenceNumber = 0;
        long enqueuedMs = 0;
        long deliveryCount = 0;
        int messageState = 0;
        byte[] data = NONE;
        Object value = null;
        while (buffer.isReadable()) {
            Section<?> section = (Section<?>) decoder.readObject(buffer, state);
            switch (section.getType()) {
                case Header -> deliveryCount = ((Header) section).getDeliveryCount();
                case MessageAnnotations -> {
                    Map<Symbol, Object> annotations = ((MessageAnnotations) section).getValue();
                    sequenceNumber = number(annotations.get(SEQUENCE_NUMBER));
                    enqueuedMs = annotations.get(ENQUEUED) instanceof java.util.Date time ? time.getTime() : 0;
                    messageState = (int) number(annotations.get(STATE));
                }
                case Properties -> properties = (Properties) section;
                case ApplicationProperties -> applicationProperties = ((ApplicationProperties) section).getValue();
                case Data -> {
                    byte[] content = ((Data) section).getValue();
                    data = content == null ? NONE : content;
                }
                case AmqpValue -> value = ((AmqpValue<?>) section).getValue();
                default -> {
                    // Other sections are irrelevant for tests.
                }
            }
        }
        return new ReceivedMessage(
                properties.getMessageId(),
                properties.getCorrelationId(),
                sequenceNumber,
                enqueuedMs,
                deliveryCount,
                messageState,
                applicationProperties,
                data,
                value);
    }

    private static long number(@Nullable Object value) {
        return value instanceof Number number ? number.longValue() : 0;
    }

    /** A writer of sections, one after the other. */
    private static final class Writer {
        private final Encoder encoder = CodecFactory.getDefaultEncoder();
        private final EncoderState state = encoder.newEncoderState();
        private final ProtonBuffer buffer =
                ProtonBufferAllocator.defaultAllocator().allocate();

        private void write(Section<?> section) {
            encoder.writeObject(buffer, state, section);
        }
    }
}
