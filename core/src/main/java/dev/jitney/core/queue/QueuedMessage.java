package dev.jitney.core.queue;

import dev.jitney.core.MessageChange;
import dev.jitney.core.RowWriter.MessageRow;
import dev.jitney.core.SharedBody;
import dev.jitney.core.StoredMessage;
import dev.jitney.model.EncodedValue;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What memory holds of a message that is available or locked: enough to decide, and its content while there is room.
 */
final class QueuedMessage {
    final long sequenceNumber;
    final long expiresAtMs;
    final @Nullable SharedBody sharedBody;
    final @Nullable String sessionId;
    final long enqueuedTimeMs;

    /** How many transfers have brought it here (FWD-9). */
    final int hops;

    private int deliveryCount;
    private int sizeBytes;
    private boolean deferred;
    private boolean changed;
    private Map<String, EncodedValue> overrides;
    private @Nullable StoredMessage cached;

    QueuedMessage(StoredMessage message, @Nullable MessageChange change) {
        this.sequenceNumber = message.sequenceNumber();
        this.expiresAtMs = message.expiresAtMs();
        this.sharedBody = message.sharedBody();
        this.sessionId = message.sessionId();
        this.enqueuedTimeMs = message.enqueuedTimeMs();
        this.hops = message.hops();
        this.deliveryCount = message.deliveryCount();
        this.overrides = message.propertyOverrides();
        this.sizeBytes = message.sizeBytes();
        if (change != null) {
            this.changed = true;
            this.deliveryCount = change.deliveryCount();
            this.deferred = change.deferred();
            this.overrides = change.propertyOverrides();
            this.sizeBytes = message.ownContentBytes() + MessageChange.sizeOf(overrides);
        }
    }

    static QueuedMessage of(MessageRow row) {
        return new QueuedMessage(row.message(), row.change());
    }

    int deliveryCount() {
        return deliveryCount;
    }

    /** Size it counts with, overrides included. */
    int sizeBytes() {
        return sizeBytes;
    }

    boolean deferred() {
        return deferred;
    }

    /** Whether a change row exists. */
    boolean changed() {
        return changed;
    }

    Map<String, EncodedValue> overrides() {
        return overrides;
    }

    @Nullable
    StoredMessage cached() {
        return cached;
    }

    void cache(@Nullable StoredMessage message) {
        cached = message;
    }

    void change(MessageChange change, int sizeDeltaBytes) {
        changed = true;
        deliveryCount = change.deliveryCount();
        deferred = change.deferred();
        overrides = change.propertyOverrides();
        sizeBytes += sizeDeltaBytes;
    }
}
