package dev.jitney.core;

import dev.jitney.model.EncodedValue;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageEnvelope;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message as stored in its row, which is written once. Later changes are in a {@link MessageChange}.
 *
 * @param envelope the facts that the broker keeps about the message, with its number; its delivery count is the one at
 *     the time of writing, above 0 only in a dead-letter queue
 * @param content the content as the sender encoded it
 * @param sharedBody the location of the content if it is not in the row itself, or null
 */
public record StoredMessage(
        MessageEnvelope envelope,
        MessageContent content,
        @Nullable SharedBody sharedBody) {

    /** Returns the same message for the dead-letter queue, with only these parts changed (STATE-10). */
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

    /** Returns the bytes that count towards the size of the entity (QUOTA-2). A shared body counts for its topic. */
    public int sizeBytes() {
        return ownContentBytes() + MessageChange.sizeOf(propertyOverrides());
    }

    /** Returns the bytes of content in the message's own row. */
    public int ownContentBytes() {
        return sharedBody == null ? content.sizeBytes() : 0;
    }
}
