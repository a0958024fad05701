package dev.jitney.core.queue;

import dev.jitney.core.MessageChange;
import dev.jitney.core.RowWriter.MessageRow;
import dev.jitney.core.SharedBody;
import dev.jitney.core.StoredMessage;
import dev.jitney.model.EncodedValue;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message that a decision has read from the store. */
public record RowMessage(MessageRow row) implements QueuedMessageView {

    @Override
    public long sequenceNumber() {
        return row.message().sequenceNumber();
    }

    @Override
    public long expiresAtMs() {
        return row.message().expiresAtMs();
    }

    @Override
    public @Nullable SharedBody sharedBody() {
        return row.message().sharedBody();
    }

    @Override
    public @Nullable String sessionId() {
        return row.message().sessionId();
    }

    @Override
    public int hops() {
        return row.message().hops();
    }

    @Override
    public int deliveryCount() {
        MessageChange change = row.change();
        return change == null ? row.message().deliveryCount() : change.deliveryCount();
    }

    @Override
    public int sizeBytes() {
        MessageChange change = row.change();
        return change == null
                ? row.message().sizeBytes()
                : row.message().ownContentBytes() + MessageChange.sizeOf(change.propertyOverrides());
    }

    @Override
    public boolean deferred() {
        return row.deferred();
    }

    @Override
    public boolean changed() {
        return row.change() != null;
    }

    @Override
    public Map<String, EncodedValue> overrides() {
        MessageChange change = row.change();
        return change == null ? row.message().propertyOverrides() : change.propertyOverrides();
    }

    @Override
    public StoredMessage cached() {
        return row.message();
    }
}
