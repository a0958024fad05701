package dev.jitney.runtime;

import dev.jitney.core.RowWriter;
import dev.jitney.core.queue.QueueApplier;
import dev.jitney.core.queue.QueueState;

/** A queue in its shard: state, who applies records to it, and the shard's notes about it. */
final class QueueSlot {
    final ServedQueue entity;
    final QueueState state;
    final QueueApplier applier;
    final Tally tally;
    /** Whether its counters are to be shown anew after the commit. */
    boolean changed;

    /** Whether it is in the shard's list of queues whose oldest message is to be looked for. */
    boolean headless;

    /** Whether it is in the shard's list of queues to deliver from. */
    boolean ready;

    /** The earliest alarm set for it. */
    long armedAtMs = Long.MAX_VALUE;

    long lastUsedMs;

    QueueSlot(ServedQueue entity, QueueState state, RowWriter writer) {
        this.entity = entity;
        this.state = state;
        this.applier = new QueueApplier(state, writer);
        this.tally = new Tally(entity.figures());
    }

    /** Shows the world the counters as they are now. */
    void publish() {
        entity.publish(
                state.counts(),
                state.accessedAtMs(),
                tally.figures(state.receiverCount(), state.oldestEnqueuedTimeMs()));
    }
}
