package dev.jitney.codec;

import dev.jitney.model.EncodedValue;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageView;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Conversion of stored messages back into messages to send, for entities that forward them, and for operators who send them again.
 * Stateless; any thread may call it.
 */
public final class StoredMessages {
    private static final int HEADER_FIELDS = 3;

    /** The first time to live that the header of a message cannot have. Its largest number means none. */
    private static final long HEADER_TTL_END = 0xffff_ffffL;

    /** More than the header and the map of annotations take. */
    private static final int OVERHEAD_BYTES = 64;

    private StoredMessages() {}

    /**
     * Returns a message to send with stored content.
     *
     * @param overrides application properties set since the message was stored; they become part of the content
     * @param timeToLiveMs milliseconds, or {@link MessageView#NEVER}
     * @param scheduledEnqueueTimeMs milliseconds since the epoch, or 0
     * @throws IllegalArgumentException if {@link IncomingMessageDecoder} has not created the content
     */
    public static IncomingMessage incoming(
            MessageContent content,
            Map<String, EncodedValue> overrides,
            @Nullable String sessionId,
            long timeToLiveMs,
            long scheduledEnqueueTimeMs) {
        MessageContent merged = merged(content, overrides);
        PropertiesSection properties = propertiesOf(merged);
        String partitionKey = null;
        try {
            AmqpReader annotations = reader(merged.annotations());
            while (annotations.hasRemaining()) {
                annotations.enterAnnotationKey();
                if (annotations.isText(Annotations.PARTITION_KEY) && !annotations.skipNull()) {
                    partitionKey = annotations.readString();
                } else {
                    annotations.skipValue();
                }
            }
        } catch (MessageFormatException damaged) {
            throw new IllegalArgumentException("Expected readable content: " + damaged.getMessage(), damaged);
        }
        int header =
                merged.properties().remaining() + merged.applicationProperties().remaining();
        return IncomingMessage.of(merged)
                .messageId(properties.messageId)
                .partitionKey(partitionKey)
                .timeToLiveMs(timeToLiveMs)
                .sizes(merged.sizeBytes(), header, 0)
                .sent(sessionId, scheduledEnqueueTimeMs)
                .build();
    }

    /**
     * Returns a message as if a client sends that content now. It has passed {@link IncomingMessageDecoder}, so it has the sizes and the
     * refusals of a send. Its session id and its scheduled time are those in the content, and it has no history.
     *
     * @param timeToLiveMs milliseconds, at least 1, or {@link MessageView#NEVER}. It replaces the one in the content.
     * @param freshMessageIds supplies an id if the content has none
     * @throws MessageFormatException if a client cannot send that content
     * @throws IllegalArgumentException if {@link IncomingMessageDecoder} has not created the content
     */
    public static IncomingMessage sentAgain(MessageContent content, long timeToLiveMs, Supplier<String> freshMessageIds)
            throws MessageFormatException {
        MessageContent sent = withLifetime(content, timeToLiveMs);
        ByteBuffer annotations = sent.annotations();
        AmqpWriter out = new AmqpWriter(sent.sizeBytes() + OVERHEAD_BYTES);
        out.writeSection(Codes.HEADER);
        int header = out.beginList(HEADER_FIELDS);
        out.writeBoolean(sent.durable());
        out.writeUByte(sent.priority());
        if (timeToLiveMs < HEADER_TTL_END) {
            out.writeUInt(timeToLiveMs);
        } else {
            out.writeNull();
        }
        out.endCompound(header);
        if (annotations.hasRemaining()) {
            out.writeSection(Codes.MESSAGE_ANNOTATIONS);
            int map = out.beginMap(countPairs(annotations));
            out.writeRaw(annotations);
            out.endCompound(map);
        }
        out.writeRaw(sent.properties());
        out.writeRaw(sent.applicationProperties());
        out.writeRaw(sent.body());
        return new IncomingMessageDecoder(freshMessageIds)
                .decode(reader(out.toByteBuffer()), IncomingMessageDecoder.FORMAT_SINGLE).get(0).toBuilder()
                        .timeToLiveMs(timeToLiveMs) // the header has no room for a long one
                        .build();
    }

    /** Returns the content without an expiry time that contradicts the time to live. */
    private static MessageContent withLifetime(MessageContent content, long timeToLiveMs) {
        PropertiesSection properties = propertiesOf(content);
        if (!properties.hasExpiryTime || properties.lifetimeMs() == timeToLiveMs) {
            return content;
        }
        ContentRewriter rewriter = new ContentRewriter(content);
        rewriter.clearExpiry();
        return rewriter.rewritten();
    }

    private static PropertiesSection propertiesOf(MessageContent content) {
        PropertiesSection properties = new PropertiesSection();
        try {
            ByteBuffer section = content.properties();
            if (section.hasRemaining()) {
                AmqpReader in = reader(section);
                Sections.enter(in);
                properties.read(in);
            }
            return properties;
        } catch (MessageFormatException damaged) {
            throw new IllegalArgumentException("Expected readable content: " + damaged.getMessage(), damaged);
        }
    }

    private static int countPairs(ByteBuffer annotations) throws MessageFormatException {
        AmqpReader in = reader(annotations);
        int count = 0;
        for (; in.hasRemaining(); count++) {
            in.skipValue();
            in.skipValue();
        }
        return count;
    }

    /** Returns annotation {@code x-opt-via-partition-key}, or null. */
    public static @Nullable String viaPartitionKey(MessageContent content) {
        try {
            AmqpReader annotations = reader(content.annotations());
            while (annotations.hasRemaining()) {
                annotations.enterAnnotationKey();
                if (annotations.isText(Annotations.VIA_PARTITION_KEY) && !annotations.skipNull()) {
                    return annotations.readString();
                }
                annotations.skipValue();
            }
            return null;
        } catch (MessageFormatException damaged) {
            throw new IllegalArgumentException("Expected readable content: " + damaged.getMessage(), damaged);
        }
    }

    /** Returns the content with application properties that were set after it was sent. */
    public static MessageContent merged(MessageContent content, Map<String, EncodedValue> overrides) {
        if (overrides.isEmpty()) {
            return content;
        }
        ContentRewriter rewriter = new ContentRewriter(content);
        overrides.forEach(rewriter::setApplicationProperty);
        return rewriter.rewritten();
    }

    private static AmqpReader reader(ByteBuffer part) {
        int from = part.arrayOffset() + part.position();
        return new AmqpReader(part.array(), from, from + part.remaining());
    }
}
