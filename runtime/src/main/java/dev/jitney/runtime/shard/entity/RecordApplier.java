package dev.jitney.runtime.shard.entity;

import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.idle.Activity;
import dev.jitney.core.topic.FanOut;
import dev.jitney.core.transaction.decide.TransactionDecider;
import dev.jitney.model.IncomingMessage;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Applies decisions to the entities of a shard: to their state in memory, to the shard's batch and to their counters.
 * Schedules the work that follows. For the shard's thread.
 */
public final class RecordApplier {
    /** The interval for writing accesses that change nothing else, milliseconds: half of the limit in STATE-4. */
    public static final long ACCESS_PAUSE_MS = 30_000;

    private final ShardContext context;
    private final EntitiesInShard entitiesInShard;
    private final ShardScheduler scheduler;
    private @Nullable ForwardingSink forwarding;
    private @Nullable RecordListener listener;
    private long applied;

    public RecordApplier(ShardContext context, EntitiesInShard entitiesInShard, ShardScheduler scheduler) {
        this.context = context;
        this.entitiesInShard = entitiesInShard;
        this.scheduler = scheduler;
    }

    /** Sets the destination of forwarded messages, before anything is applied. */
    public void connect(ForwardingSink sink) {
        forwarding = sink;
    }

    /** Sets the listener to everything that is applied, before anything is. Only a broker under test has one. */
    public void listen(RecordListener to) {
        listener = to;
    }

    /** Returns the number of records applied so far. */
    public long appliedCount() {
        return applied;
    }

    private ForwardingSink forwarding() {
        return Objects.requireNonNull(forwarding);
    }

    /**
     * Applies a step like {@link #carryOut} and counts it as activity of the entity. For requested operations, not for
     * their later effects.
     */
    public void use(TransactionDecider.Step step) {
        carryOut(step);
        if (step.participant() instanceof EntityInShard inShard) {
            touch(inShard);
        }
    }

    /** Applies one step of the outcome of a transaction, or of an operation in it that takes effect at once. */
    public void carryOut(TransactionDecider.Step step) {
        if (step.participant() instanceof EntityInShard inShard) {
            apply(inShard, step.records(), false);
            apply(step.copies(), false);
            Reply.Sent sent = step.sent();
            if (sent != null && inShard instanceof TopicInShard topic) {
                topic.counters.published(step.messages(), sent, context.nowMs());
            }
            if (sent != null) {
                accepted(inShard, step.messages(), sent, step.copies());
            }
            wake(inShard);
        }
    }

    /** Applies records that do not count as activity of the entity, because the broker itself caused them. */
    public void changeInside(EntityInShard inShard, List<Record> records) {
        record(inShard, records, true);
        wake(inShard);
    }

    /** Applies the publication of messages. */
    public void apply(TopicInShard topic, FanOut publication, boolean byTime) {
        apply(topic, publication.records(), byTime);
        apply(publication.copies(), byTime);
        if (listener != null && byTime) {
            listener.published(topic, publication);
        }
    }

    private void apply(List<FanOut.Copy> copies, boolean byTime) {
        for (FanOut.Copy copy : copies) {
            EntityInShard inShard = entitiesInShard.get(copy.subscriber().entityId());
            if (inShard == null) {
                throw new IllegalStateException(
                        "Expected subscription " + copy.subscriber().entityId() + " in this shard.");
            }
            record(inShard, List.of(copy.record()), byTime); // not activity of the subscription (IDLE-9)
            wake(inShard);
        }
    }

    /**
     * Applies records.
     *
     * @param byTime whether a timer caused them, not a command
     */
    public void apply(EntityInShard inShard, List<Record> records, boolean byTime) {
        if (!records.isEmpty()) {
            record(inShard, records, byTime);
        }
    }

    private void record(EntityInShard inShard, List<Record> records, boolean byTime) {
        long bytesBefore = inShard.state.sizeBytes();
        applied += records.size();
        for (Record record : records) {
            if (listener != null) {
                listener.applying(inShard, record);
            }
            inShard.applier.apply(record);
            if (!(record instanceof Record.Volatile)) {
                inShard.counters.count(record, byTime);
                if (record instanceof Record.TransferQueued queued) {
                    forwarding().queued(inShard.state.id(), queued.transfer());
                } else if (record instanceof Record.MessagePassed passed) {
                    forwarding().passed(inShard, passed);
                }
                scheduler.write(inShard);
            }
        }
        if (inShard.state.hasUnwritten()) {
            scheduler.write(inShard);
        }
        if (inShard.topic != null) {
            inShard.topic.count(inShard.state.sizeBytes() - bytesBefore);
            if (inShard.topic.bodies.isTouched()) {
                scheduler.write(inShard.topic);
                scheduler.show(inShard.topic);
            }
        }
        inShard.lastUsedMs = context.nowMs();
        scheduler.show(inShard);
    }

    /**
     * Notes that an entity has accepted messages, and counts those that were dropped as duplicates.
     *
     * @param copies the copies of a topic
     */
    public void accepted(
            EntityInShard inShard, List<IncomingMessage> messages, Reply.Sent sent, List<FanOut.Copy> copies) {
        if (listener != null) {
            listener.accepted(inShard, messages, sent, copies);
        }
        if (!sent.duplicates().isEmpty()) {
            inShard.counters.dropped(sent.duplicates().size());
            scheduler.show(inShard);
        }
    }

    /**
     * Notes activity of an entity (IDLE-7 to IDLE-9) and of its topic (IDLE-8). If nothing else is written about the
     * entity, the access is written from time to time (STATE-4).
     */
    public void touch(EntityInShard inShard) {
        inShard.state.touch(context.nowMs());
        if (inShard.unwrittenAccessMs() >= ACCESS_PAUSE_MS) {
            scheduler.write(inShard);
        }
        scheduler.show(inShard);
        if (inShard.topic != null) {
            touch(inShard.topic);
        }
    }

    /** Writes the last access if it is only in memory. */
    public void writeAccess(EntityInShard inShard) {
        if (inShard.unwrittenAccessMs() > 0) {
            scheduler.write(inShard);
        }
    }

    /** Handles a change of an entity: checks its receivers for deliveries and sets its timer. */
    public void wake(EntityInShard inShard) {
        wakeReceivers(inShard);
        scheduler.timers().arm(inShard);
    }

    /** Schedules deliveries if something waits for the entity's messages: a receiver, or an entity it forwards to. */
    public void wakeReceivers(EntityInShard inShard) {
        if (!inShard.ready && (forwarding().hasWork(inShard) || Activity.isAwaited(inShard.state))) {
            scheduler.deliver(inShard);
        }
    }
}
