package dev.jitney.simulation.model.state;

import dev.jitney.simulation.model.row.VisibleProperties;

/** A message in the outbox of an entity. */
public final class OutboxMessage {
    public final long uid;
    public final StoredEntity source;
    public final long destinationId;
    public final long number;
    public final int sizeBytes;
    public final VisibleProperties visible;

    /** True if the destination has stored the message. */
    public boolean landed;

    public OutboxMessage(
            long uid, StoredEntity source, long destinationId, long number, int sizeBytes, VisibleProperties visible) {
        this.uid = uid;
        this.source = source;
        this.destinationId = destinationId;
        this.number = number;
        this.sizeBytes = sizeBytes;
        this.visible = visible;
    }

    @Override
    public String toString() {
        return "message " + uid + " in the outbox of " + source.path + " as number " + number;
    }
}
