package dev.jitney.runtime;

import dev.jitney.core.RowWriter;
import dev.jitney.core.RowWriter.QueueRow;
import dev.jitney.core.queue.QueueApplier;
import dev.jitney.core.queue.QueueState;

/** A queue in its shard: state, who applies records to it, and the shard's notes about it. */
final class QueueSlot {
    final ServedQueue entity;
    final QueueState state;
    final QueueApplier applier;
    QueueRow row;

    /** Whether it is in the shard's list of queues to deliver from. */
    boolean ready;

    /** The earliest alarm set for it. */
    long armedAtMs = Long.MAX_VALUE;

    long lastUsedMs;

    QueueSlot(ServedQueue entity, QueueRow row, QueueState state, RowWriter writer) {
        this.entity = entity;
        this.row = row;
        this.state = state;
        this.applier = new QueueApplier(state, writer);
    }
}
