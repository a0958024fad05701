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
 * A queue, a topic or a subscription in its shard: state, who applies records to it, and the shard's notes about it. For
 * the shard's thread.
 */
public class EntityInShard implements Participant {
    final HostedEntity entity;
    final QueueState state;
    final QueueApplier applier;
    final EntityCounters counters;

    /** What those who hand its messages on note about it. */
    public final ForwardingNotes forwarding = new ForwardingNotes();

    /** The topic of a subscription; null for others. */
    final @Nullable TopicInShard topic;

    /** Whether its rows are due with the next batch. */
    boolean dirty;

    /** Whether its counters are to be shown anew after the commit. */
    boolean changed;

    /** Whether it is in the shard's list of those whose oldest message is to be looked for. */
    boolean headless;

    /** Whether it is in the shard's list of those to deliver from. */
    boolean ready;

    /** When its timer is set for, {@link Long#MAX_VALUE} if it has none; changed by {@link EntityTimers} only. */
    long armedAtMs = Long.MAX_VALUE;

    long lastUsedMs;

    /** The last access that the store knows. */
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

    /** The entity as everybody sees it. */
    public final HostedEntity entity() {
        return entity;
    }

    /** The topic of a subscription; null for others. */
    public final @Nullable TopicInShard topic() {
        return topic;
    }

    /** Applies records to the state. */
    public final QueueApplier applier() {
        return applier;
    }

    /** Counts what happens to its messages. */
    public final EntityCounters counters() {
        return counters;
    }

    /** Notes of those who hand its messages on. */
    public final ForwardingNotes forwarding() {
        return forwarding;
    }

    /** Since when it is idle, if it goes away then; null for all others. */
    public final @Nullable Idleness idleness() {
        return idleness;
    }

    /** Sets since when it is idle; null if it does not go away when it is idle. */
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

    /** When time has something to do with it next, {@link Long#MAX_VALUE} if never. */
    public final long nextTimerMs() {
        long nextMs = Math.min(nextMoveMs(), state.duplicates().nextForgetMs(duplicateWindowMs()));
        return idleness == null ? nextMs : Math.min(nextMs, idleness.dueMs());
    }

    /** When its messages have to be moved next, {@link Long#MAX_VALUE} if never. */
    public long nextMoveMs() {
        return state.nextTimerMs();
    }

    /** Takes over which ids of messages the store has, if duplicates are detected. */
    void loadDuplicates(RowReader reader, long nowMs) {
        if (state.description().requiresDuplicateDetection() && state.wasUsed()) {
            state.loadDuplicates(reader, nowMs);
        }
    }

    /** What becomes of ids that have left the window for duplicates; a slice of it. */
    public List<Record> forgetIds(RowReader reader, long nowMs) {
        return Forgetting.decide(state.duplicates(), duplicateWindowMs(), nowMs, reader);
    }

    private long duplicateWindowMs() {
        return state.description().duplicateDetectionHistoryTimeWindowMs();
    }

    /** How much older the last access is that the store knows than the one that memory knows, milliseconds. */
    final long unwrittenAccessMs() {
        return state.accessedAtMs() - accessWrittenMs;
    }

    /** The store knows the last access. */
    final void accessWritten() {
        accessWrittenMs = state.accessedAtMs();
    }

    /** Everything applied so far is in the store. */
    void committed() {
        accessWritten();
        state.committed();
    }

    /** A message was handed on to another entity (FWD-16). */
    public final void forwarded(IncomingMessage message) {
        counters.forwarded();
        entity.countTransfer(message.content().sizeBytes());
    }

    /** Shows the world the counters as they are now. */
    void publish() {
        entity.publish(
                state.counts(),
                state.accessedAtMs(),
                counters.figures(state.receiverCount(), state.oldestEnqueuedTimeMs()));
    }
}
