package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.core.Decision;
import dev.jitney.core.RowWriter;
import dev.jitney.core.Situation;
import dev.jitney.core.queue.QueueApplier;
import dev.jitney.core.queue.QueueDecider;
import dev.jitney.core.queue.QueueState;
import dev.jitney.core.topic.Publication;
import dev.jitney.core.transaction.Participant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A queue, a topic or a subscription in its shard: state, who applies records to it, and the shard's notes about it. For
 * the shard's thread.
 */
class EntitySlot implements Participant {
    final ServedEntity entity;
    final QueueState state;
    final QueueApplier applier;
    final Tally tally;

    /** The topic of a subscription; null for others. */
    final @Nullable TopicSlot topic;

    /** Whether its counters are to be shown anew after the commit. */
    boolean changed;

    /** Whether it is in the shard's list of those whose oldest message is to be looked for. */
    boolean headless;

    /** Whether it is in the shard's list of those to deliver from. */
    boolean ready;

    /** The earliest alarm set for it. */
    long armedAtMs = Long.MAX_VALUE;

    long lastUsedMs;

    EntitySlot(ServedEntity entity, QueueState state, RowWriter writer, @Nullable TopicSlot topic) {
        this.entity = entity;
        this.state = state;
        this.applier = new QueueApplier(state, writer);
        this.tally = new Tally(entity.figures());
        this.topic = topic;
    }

    @Override
    public long entityId() {
        return entity.id();
    }

    @Override
    public QueueState state() {
        return state;
    }

    @Override
    public Publication send(Command.SendMessages send, Situation now) {
        Decision decision = QueueDecider.decide(state, send, now);
        return new Publication(decision.records(), List.of(), decision.reply(), decision.rejection());
    }

    /** When its timers have something to do next, {@link Long#MAX_VALUE} if never. */
    long nextTimerMs() {
        return state.nextTimerMs();
    }

    /** Shows the world the counters as they are now. */
    void publish() {
        entity.publish(
                state.counts(),
                state.accessedAtMs(),
                tally.figures(state.receiverCount(), state.oldestEnqueuedTimeMs()));
    }
}
