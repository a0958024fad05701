package dev.jitney.core.queue.state;

import dev.jitney.core.MessageChange;
import dev.jitney.core.RowWriter.MessageRow;
import dev.jitney.core.SharedBody;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.queue.QueuedMessageView;
import dev.jitney.model.EncodedValue;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An available or locked message in memory: the facts for decisions, and the content if the budget allows. */
final class QueuedMessage implements QueuedMessageView {
    final long sequenceNumber;
    final long expiresAtMs;
    final @Nullable SharedBody sharedBody;
    final @Nullable String sessionId;
    final long enqueuedTimeMs;

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

    @Override
    public long sequenceNumber() {
        return sequenceNumber;
    }

    @Override
    public long expiresAtMs() {
        return expiresAtMs;
    }

    @Override
    public @Nullable SharedBody sharedBody() {
        return sharedBody;
    }

    @Override
    public @Nullable String sessionId() {
        return sessionId;
    }

    @Override
    public int hops() {
        return hops;
    }

    @Override
    public int deliveryCount() {
        return deliveryCount;
    }

    @Override
    public int sizeBytes() {
        return sizeBytes;
    }

    @Override
    public boolean deferred() {
        return deferred;
    }

    @Override
    public boolean changed() {
        return changed;
    }

    @Override
    public Map<String, EncodedValue> overrides() {
        return overrides;
    }

    @Override
    public @Nullable StoredMessage cached() {
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
