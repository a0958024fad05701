package dev.jitney.core;

import dev.jitney.model.EncodedValue;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageEnvelope;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message as its row says, written once. What changes later is a {@link MessageChange}.
 *
 * @param envelope what the broker keeps about the message, with its number; its delivery count is the one at the time of
 *     writing, above 0 only in a dead-letter queue
 * @param content what the sender put into it
 * @param sharedBody where the content is kept if not in the row itself, or null
 */
public record StoredMessage(
        MessageEnvelope envelope,
        MessageContent content,
        @Nullable SharedBody sharedBody) {

    /** The same message as it is dead-lettered: everything but these stays (STATE-10). */
    public StoredMessage deadLettered(int deliveries, Map<String, EncodedValue> overrides, int hopsThen) {
        MessageEnvelope changed = envelope.toBuilder()
                .deliveryCount(deliveries)
                .propertyOverrides(overrides)
                .hops(hopsThen)
                .build();
        return new StoredMessage(changed, content, sharedBody);
    }

    public long sequenceNumber() {
        return envelope.sequenceNumber();
    }

    public long enqueuedSequenceNumber() {
        return envelope.enqueuedSequenceNumber();
    }

    public long enqueuedTimeMs() {
        return envelope.enqueuedTimeMs();
    }

    public long expiresAtMs() {
        return envelope.expiresAtMs();
    }

    public long scheduledEnqueueTimeMs() {
        return envelope.scheduledEnqueueTimeMs();
    }

    public int deliveryCount() {
        return envelope.deliveryCount();
    }

    public @Nullable String sessionId() {
        return envelope.sessionId();
    }

    public @Nullable String deadLetterSource() {
        return envelope.deadLetterSource();
    }

    public Map<String, EncodedValue> propertyOverrides() {
        return envelope.propertyOverrides();
    }

    public int hops() {
        return envelope.hops();
    }

    public boolean wasScheduled() {
        return envelope.wasScheduled();
    }

    /** What the message counts towards the size of its entity (QUOTA-2); a shared body counts with its topic. */
    public int sizeBytes() {
        return ownContentBytes() + MessageChange.sizeOf(propertyOverrides());
    }

    /** Bytes of content in the message's own row. */
    public int ownContentBytes() {
        return sharedBody == null ? content.sizeBytes() : 0;
    }
}
