package dev.jitney.codec;

import dev.jitney.model.EncodedValue;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageView;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * An encoder of messages for receivers and peeks: sections in the order of the specification, with the sender's bytes wherever
 * the broker adds nothing.
 *
 * <p>The header is always present and complete, because clients dereference it; without an expiry its ttl is the largest
 * value (wire reference 4.2). Annotations have the exact types to which clients cast them (4.4). The result is one array
 * of exactly the right size, written once.
 *
 * <p>Stateless; any thread may call it.
 */
public final class OutgoingMessageEncoder {
    private static final int HEADER_FIELDS = 5;
    private static final long TTL_MAX = 0xffff_ffffL;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** The annotations of every message, with gaps for the values. */
    private static final byte[] FIXED_ANNOTATIONS;

    private static final int FIXED_ANNOTATIONS_COUNT = 8;
    private static final int SEQUENCE_NUMBER_AT;
    private static final int ENQUEUED_SEQUENCE_NUMBER_AT;
    private static final int ENQUEUED_TIME_AT;
    private static final int STATE_AT;

    /** The annotation of messages of partitioned entities, with a gap for its value. */
    private static final byte[] PARTITION_ID;

    /** The annotation of locked messages, with a gap for its value. */
    private static final byte[] LOCKED_UNTIL;

    /** The delivery annotations, with a gap for the lock token. */
    private static final byte[] LOCK_TOKEN_SECTION;

    static {
        AmqpWriter out = new AmqpWriter(128);
        out.writeSymbol(Annotations.SEQUENCE_NUMBER);
        out.writeLong(0);
        SEQUENCE_NUMBER_AT = out.size() - Long.BYTES;
        out.writeSymbol(Annotations.ENQUEUED_SEQUENCE_NUMBER);
        out.writeLong(0);
        ENQUEUED_SEQUENCE_NUMBER_AT = out.size() - Long.BYTES;
        out.writeSymbol(Annotations.ENQUEUED_TIME);
        out.writeTimestamp(0);
        ENQUEUED_TIME_AT = out.size() - Long.BYTES;
        out.writeSymbol(Annotations.MESSAGE_STATE);
        out.writeByte(Codes.SMALL_INT);
        out.writeByte(0);
        STATE_AT = out.size() - 1;
        FIXED_ANNOTATIONS = out.toByteArray();

        out = new AmqpWriter(32);
        out.writeSymbol(Annotations.PARTITION_ID);
        out.writeByte(Codes.SHORT);
        out.writeByte(0);
        out.writeByte(0);
        PARTITION_ID = out.toByteArray();

        out = new AmqpWriter(32);
        out.writeSymbol(Annotations.LOCKED_UNTIL);
        out.writeTimestamp(0);
        LOCKED_UNTIL = out.toByteArray();

        AmqpWriter map = new AmqpWriter(64);
        map.writeSymbol(Annotations.LOCK_TOKEN);
        map.writeUuid(new UUID(0, 0));
        out = new AmqpWriter(64);
        out.writeSection(Codes.DELIVERY_ANNOTATIONS);
        out.writeMapHead(map.size(), 2);
        out.writeRaw(map.toByteBuffer());
        LOCK_TOKEN_SECTION = out.toByteArray();
    }

    private final boolean partitioned;

    /** Creates an encoder for the messages of entities that are not partitioned. */
    public OutgoingMessageEncoder() {
        this(false);
    }

    /**
     * Creates an encoder.
     *
     * @param partitioned whether the messages are of a partitioned entity. Then each of them has the number of its partition, the upper
     *     16 bits of its sequence number, in annotation {@code x-opt-partition-id} (MSG-4, SEQ-2)
     */
    public OutgoingMessageEncoder(boolean partitioned) {
        this.partitioned = partitioned;
    }

    /**
     * Encodes a message with all the information that a client needs.
     *
     * @return a buffer with its own array, ready to be read
     * @throws IllegalArgumentException if the decoder of this package has not created the content
     */
    public ByteBuffer encode(MessageView message) {
        ByteBuffer body = message.content().body();
        AmqpWriter out = head(message, body.remaining());
        out.writeRaw(body);
        return out.toByteBuffer();
    }

    /**
     * Encodes a message like {@link #encode}, but without the sections of the body. They follow unchanged from the
     * content.
     *
     * @return a buffer with its own array, ready to be read
     * @throws IllegalArgumentException if the decoder of this package has not created the content
     */
    public ByteBuffer encodeHead(MessageView message) {
        return head(message, 0).toByteBuffer();
    }

    private AmqpWriter head(MessageView message, int bodySize) {
        try {
            return write(message, bodySize);
        } catch (MessageFormatException damaged) {
            throw new IllegalArgumentException(
                    "Expected readable content in message " + message.sequenceNumber() + ": " + damaged.getMessage(),
                    damaged);
        }
    }

    /**
     * Writes the message.
     *
     * @param bodySize bytes to reserve at the end
     */
    private AmqpWriter write(MessageView message, int bodySize) throws MessageFormatException {
        MessageContent content = message.content();
        UUID lockToken = message.lockToken();
        boolean expires = message.expiresAtMs() != MessageView.NEVER;
        long headerTtl =
                expires ? Math.min(Math.max(0, message.expiresAtMs() - message.enqueuedTimeMs()), TTL_MAX) : TTL_MAX;

        ByteBuffer senderAnnotations = content.annotations();
        int annotationsCount = FIXED_ANNOTATIONS_COUNT + countValues(senderAnnotations);
        int annotationsSize = FIXED_ANNOTATIONS.length + senderAnnotations.remaining();
        if (partitioned) {
            annotationsCount += 2;
            annotationsSize += PARTITION_ID.length;
        }
        if (lockToken != null) {
            annotationsCount += 2;
            annotationsSize += LOCKED_UNTIL.length;
        }
        byte[] deadLetterSource = deadLetterSource(message);
        if (deadLetterSource.length > 0) {
            annotationsCount += 2;
            annotationsSize += deadLetterSource.length;
        }
        ExpiryFields properties = ExpiryFields.of(message);
        ByteBuffer applicationProperties = message.propertyOverrides().isEmpty()
                ? content.applicationProperties()
                : merged(content.applicationProperties(), message.propertyOverrides());

        int headerSize = 4 + AmqpWriter.sizeOfUInt(headerTtl) + AmqpWriter.sizeOfUInt(message.deliveryCount());
        AmqpWriter out = new AmqpWriter(Sections.PREFIX_SIZE
                + 3
                + headerSize
                + (lockToken == null ? 0 : LOCK_TOKEN_SECTION.length)
                + Sections.PREFIX_SIZE
                + AmqpWriter.sizeOfCompoundHead(annotationsSize, annotationsCount)
                + annotationsSize
                + properties.sizeBytes()
                + applicationProperties.remaining()
                + bodySize);

        out.writeSection(Codes.HEADER);
        out.writeListHead(headerSize, HEADER_FIELDS);
        out.writeBoolean(content.durable());
        out.writeByte(Codes.UBYTE);
        out.writeByte(content.priority());
        out.writeUInt(headerTtl);
        out.writeBoolean(false); // first-acquirer
        out.writeUInt(message.deliveryCount());

        if (lockToken != null) {
            int at = out.writeTemplate(LOCK_TOKEN_SECTION) + LOCK_TOKEN_SECTION.length - 2 * Long.BYTES;
            out.putLong(at, lockToken.getMostSignificantBits());
            out.putLong(at + Long.BYTES, lockToken.getLeastSignificantBits());
        }

        out.writeSection(Codes.MESSAGE_ANNOTATIONS);
        out.writeMapHead(annotationsSize, annotationsCount);
        int at = out.writeTemplate(FIXED_ANNOTATIONS);
        out.putLong(at + SEQUENCE_NUMBER_AT, message.sequenceNumber());
        out.putLong(at + ENQUEUED_SEQUENCE_NUMBER_AT, message.enqueuedSequenceNumber());
        out.putLong(at + ENQUEUED_TIME_AT, message.enqueuedTimeMs());
        out.putByte(at + STATE_AT, message.state().wireValue());
        if (partitioned) {
            at = out.writeTemplate(PARTITION_ID) + PARTITION_ID.length - Short.BYTES;
            out.putByte(at, (int) (message.sequenceNumber() >>> 56));
            out.putByte(at + 1, (int) (message.sequenceNumber() >>> 48));
        }
        if (lockToken != null) {
            at = out.writeTemplate(LOCKED_UNTIL);
            out.putLong(
                    at + LOCKED_UNTIL.length - Long.BYTES, Math.min(message.lockedUntilMs(), ExpiryFields.LATEST_MS));
        }
        out.writeTemplate(deadLetterSource);
        out.writeRaw(senderAnnotations);

        properties.write(out);
        out.writeRaw(applicationProperties);
        return out;
    }

    private static int countValues(ByteBuffer values) throws MessageFormatException {
        if (!values.hasRemaining()) {
            return 0;
        }
        int from = values.arrayOffset();
        AmqpReader in = new AmqpReader(values.array(), from, from + values.remaining());
        int count = 0;
        while (in.hasRemaining()) {
            in.skipValue();
            count++;
        }
        return count;
    }

    private static byte[] deadLetterSource(MessageView message) {
        String source = message.deadLetterSource();
        if (source == null) {
            return NOTHING.array();
        }
        AmqpWriter out = new AmqpWriter(64);
        out.writeSymbol(Annotations.DEAD_LETTER_SOURCE);
        out.writeString(source);
        return out.toByteArray();
    }

    /** Returns the sender's properties with overridden values in place, followed by the other overrides. */
    private static ByteBuffer merged(ByteBuffer section, Map<String, EncodedValue> overrides)
            throws MessageFormatException {
        AmqpWriter pairs = new AmqpWriter(section.remaining() + 256);
        Set<String> replaced = new HashSet<>();
        int count = 0;
        if (section.hasRemaining()) {
            int from = section.arrayOffset();
            AmqpReader in = new AmqpReader(section.array(), from, from + section.remaining());
            Sections.enter(in);
            count = in.enterMap();
            for (int i = 0; i < count; i += 2) {
                int pairFrom = in.position();
                String name = in.readString();
                int valueFrom = in.position();
                in.skipValue();
                EncodedValue override = overrides.get(name);
                if (override == null) {
                    pairs.writeRaw(in.bytes(), pairFrom, in.position() - pairFrom);
                } else {
                    replaced.add(name);
                    pairs.writeRaw(in.bytes(), pairFrom, valueFrom - pairFrom);
                    pairs.writeTemplate(override.encoding());
                }
            }
        }
        for (Map.Entry<String, EncodedValue> override : overrides.entrySet()) {
            if (!replaced.contains(override.getKey())) {
                pairs.writeString(override.getKey());
                pairs.writeTemplate(override.getValue().encoding());
                count += 2;
            }
        }
        AmqpWriter out = new AmqpWriter(pairs.size() + 16);
        out.writeSection(Codes.APPLICATION_PROPERTIES);
        out.writeMapHead(pairs.size(), count);
        out.writeRaw(pairs.toByteBuffer());
        return out.toByteBuffer();
    }
}
