package dev.jitney.codec;

import dev.jitney.model.EncodedValue;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import java.nio.ByteBuffer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns messages that were stored back into messages to be sent, for entities that hand them on. Without state; any thread
 * may call it.
 */
public final class StoredMessages {

    private StoredMessages() {}

    /**
     * A message to be sent with what was stored.
     *
     * @param overrides application properties set since it was stored, which become its own
     * @param timeToLiveMs milliseconds, or {@link dev.jitney.model.MessageView#NEVER}
     * @param scheduledEnqueueTimeMs milliseconds since the epoch, or 0
     * @throws IllegalArgumentException if the content is not what {@link IncomingMessageDecoder} makes
     */
    public static IncomingMessage incoming(
            MessageContent content,
            Map<String, EncodedValue> overrides,
            @Nullable String sessionId,
            long timeToLiveMs,
            long scheduledEnqueueTimeMs) {
        MessageContent merged = merged(content, overrides);
        PropertiesSection properties = new PropertiesSection();
        String partitionKey = null;
        try {
            ByteBuffer section = merged.properties();
            if (section.hasRemaining()) {
                AmqpReader in = reader(section);
                Sections.enter(in);
                properties.read(in);
            }
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

    /** Annotation {@code x-opt-via-partition-key}, or null. */
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

    /** The content with application properties that were set since it was sent. */
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
