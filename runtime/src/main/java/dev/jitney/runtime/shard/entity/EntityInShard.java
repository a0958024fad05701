package dev.jitney.runtime.shard.entity;

import dev.jitney.core.Command;
import dev.jitney.core.Decision;
import dev.jitney.core.Record;
import dev.jitney.core.RowReader;
import dev.jitney.core.RowWriter;
import dev.jitney.core.Situation;
import dev.jitney.core.duplicate.Forgetting;
import dev.jitney.core.queue.decide.QueueDecider;
import dev.jitney.core.queue.state.QueueApplier;
import dev.jitney.core.queue.state.QueueState;
import dev.jitney.core.topic.FanOut;
import dev.jitney.core.transaction.Participant;
import dev.jitney.model.IncomingMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A queue, topic or subscription in its shard: its state, the applier for its records, and the shard's own notes. For
 * the shard's thread.
 */
public class EntityInShard implements Participant {
    final HostedEntity entity;
    final QueueState state;
    final QueueApplier applier;
    final EntityCounters counters;

    /** Notes of the forwarding code about this entity. */
    public final ForwardingNotes forwarding = new ForwardingNotes();

    /** The topic of a subscription; null for others. */
    final @Nullable TopicInShard topic;

    /** True if its rows must be written with the next batch. */
    boolean dirty;

    /** True if its counters must be published after the commit. */
    boolean changed;

    /** True if it is in the shard's list of entities whose oldest message must be looked up. */
    boolean headless;

    /** True if it is in the shard's list of entities with messages to deliver. */
    boolean ready;

    /** The time its timer is set to, or {@link Long#MAX_VALUE}; changed by {@link EntityTimers} only. */
    long armedAtMs = Long.MAX_VALUE;

    long lastUsedMs;

    /** The last access that is stored. */
    private long accessWrittenMs;

    private @Nullable Idleness idleness;

    EntityInShard(HostedEntity entity, QueueState state, RowWriter writer, @Nullable TopicInShard topic) {
        this.entity = entity;
        this.state = state;
        this.applier = new QueueApplier(state, writer);
        this.counters = new EntityCounters(entity.figures());
        this.topic = topic;
    }

    @Override
    public long entityId() {
        return entity.id();
    }

    /** Returns the entity with its public description. */
    public final HostedEntity entity() {
        return entity;
    }

    /** Returns the topic of a subscription; null for others. */
    public final @Nullable TopicInShard topic() {
        return topic;
    }

    /** Returns the applier of records to the state. */
    public final QueueApplier applier() {
        return applier;
    }

    /** Returns the counters of its messages. */
    public final EntityCounters counters() {
        return counters;
    }

    /** Returns the notes of the forwarding code. */
    public final ForwardingNotes forwarding() {
        return forwarding;
    }

    /** Returns the idle time of a temporary entity; null for all others. */
    public final @Nullable Idleness idleness() {
        return idleness;
    }

    /** Sets the idle time of a temporary entity; null if the entity is not temporary. */
    public final void setIdleness(@Nullable Idleness since) {
        idleness = since;
    }

    @Override
    public final QueueState state() {
        return state;
    }

    @Override
    public FanOut send(Command.SendMessages send, Situation now) {
        Decision decision = QueueDecider.decide(state, send, now);
        return new FanOut(decision.records(), List.of(), decision.reply(), decision.rejection());
    }

    /** Returns the time of its next timer, or {@link Long#MAX_VALUE}. */
    public final long nextTimerMs() {
        long nextMs = Math.min(nextMoveMs(), state.duplicates().nextForgetMs(duplicateWindowMs()));
        return idleness == null ? nextMs : Math.min(nextMs, idleness.dueMs());
    }

    /** Returns the time when a timer must next move messages, or {@link Long#MAX_VALUE}. */
    public long nextMoveMs() {
        return state.nextTimerMs();
    }

    /** Loads the stored message ids, if the entity detects duplicates. */
    void loadDuplicates(RowReader reader, long nowMs) {
        if (state.description().requiresDuplicateDetection() && state.wasUsed()) {
            state.loadDuplicates(reader, nowMs);
        }
    }

    /** Returns the records that drop some of the message ids outside the duplicate detection window. */
    public List<Record> forgetIds(RowReader reader, long nowMs) {
        return Forgetting.decide(state.duplicates(), duplicateWindowMs(), nowMs, reader);
    }

    private long duplicateWindowMs() {
        return state.description().duplicateDetectionHistoryTimeWindowMs();
    }

    /** Returns by how much the stored last access lags behind memory, milliseconds. */
    final long unwrittenAccessMs() {
        return state.accessedAtMs() - accessWrittenMs;
    }

    /** Notes that the last access is stored. */
    final void accessWritten() {
        accessWrittenMs = state.accessedAtMs();
    }

    /** Notes that everything applied so far is stored. */
    void committed() {
        accessWritten();
        state.committed();
    }

    /** Counts a message forwarded to another entity (FWD-16). */
    public final void forwarded(IncomingMessage message) {
        counters.forwarded();
        entity.countTransfer(message.content().sizeBytes());
    }

    /** Publishes the current counters. */
    void publish() {
        entity.publish(
                state.counts(),
                state.accessedAtMs(),
                counters.figures(state.receiverCount(), state.oldestEnqueuedTimeMs()));
    }
}
