package dev.jitney.runtime.shard.entity;

import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.idle.Activity;
import dev.jitney.core.topic.FanOut;
import dev.jitney.core.transaction.decide.TransactionDecider;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Applies what was decided for the entities of a shard: to their state in memory, to the shard's batch and to their counters, and
 * notes what there is to do about them afterwards. For the shard's thread.
 */
public final class RecordApplier {
    /** How often the store learns of accesses that write nothing else, milliseconds: half of what STATE-4 allows. */
    public static final long ACCESS_PAUSE_MS = 30_000;

    private final ShardContext context;
    private final EntitiesInShard entitiesInShard;
    private final ShardScheduler scheduler;
    private @Nullable ForwardingSink forwarding;

    public RecordApplier(ShardContext context, EntitiesInShard entitiesInShard, ShardScheduler scheduler) {
        this.context = context;
        this.entitiesInShard = entitiesInShard;
        this.scheduler = scheduler;
    }

    /** Sets where messages go that are handed on, before anything is applied. */
    public void connect(ForwardingSink sink) {
        forwarding = sink;
    }

    private ForwardingSink forwarding() {
        return Objects.requireNonNull(forwarding);
    }

    /** As {@link #carryOut}, as activity of the entity: what somebody asked for, not what became of it later. */
    public void use(TransactionDecider.Step step) {
        carryOut(step);
        if (step.participant() instanceof EntityInShard inShard) {
            touch(inShard);
        }
    }

    /** Does a part of what the outcome of a transaction means, or of what an operation in it does at once. */
    public void carryOut(TransactionDecider.Step step) {
        if (step.participant() instanceof EntityInShard inShard) {
            apply(inShard, step.records(), false);
            apply(step.copies(), false);
            Reply.Sent sent = step.sent();
            if (sent != null && inShard instanceof TopicInShard topic) {
                topic.counters.published(step.messages(), sent, context.nowMs());
            }
            if (sent != null) {
                countDuplicates(inShard, sent);
            }
            wake(inShard);
        }
    }

    /** Does what records say without its being activity of the entity: the broker does it for itself. */
    public void changeInside(EntityInShard inShard, List<Record> records) {
        record(inShard, records, true);
        wake(inShard);
    }

    /** Does what the publication of messages says. */
    public void apply(TopicInShard topic, FanOut publication, boolean byTime) {
        apply(topic, publication.records(), byTime);
        apply(publication.copies(), byTime);
    }

    private void apply(List<FanOut.Copy> copies, boolean byTime) {
        for (FanOut.Copy copy : copies) {
            EntityInShard inShard = entitiesInShard.get(copy.subscriber().entityId());
            if (inShard == null) {
                throw new IllegalStateException(
                        "Expected subscription " + copy.subscriber().entityId() + ".");
            }
            record(inShard, List.of(copy.record()), byTime); // IDLE-9: no activity of the subscription
            wake(inShard);
        }
    }

    /**
     * Does what records say.
     *
     * @param byTime whether time has brought them about, not a command
     */
    public void apply(EntityInShard inShard, List<Record> records, boolean byTime) {
        if (!records.isEmpty()) {
            record(inShard, records, byTime);
        }
    }

    private void record(EntityInShard inShard, List<Record> records, boolean byTime) {
        long bytesBefore = inShard.state.sizeBytes();
        for (Record record : records) {
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

    /** Counts messages that were dropped because their ids were known. */
    public void countDuplicates(EntityInShard inShard, Reply reply) {
        if (reply instanceof Reply.Sent sent && !sent.duplicates().isEmpty()) {
            inShard.counters.dropped(sent.duplicates().size());
            scheduler.show(inShard);
        }
    }

    /**
     * Remembers that an entity is used (IDLE-7 to IDLE-9), and with it its topic (IDLE-8). If nothing else is written about it,
     * this is, now and then (STATE-4).
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

    /** Has the last access written if it is in memory only. */
    public void writeAccess(EntityInShard inShard) {
        if (inShard.unwrittenAccessMs() > 0) {
            scheduler.write(inShard);
        }
    }

    /** Something has changed about an entity: its receivers may have something to get, and time something to do. */
    public void wake(EntityInShard inShard) {
        wakeReceivers(inShard);
        scheduler.timers().arm(inShard);
    }

    /** Has an entity take its turn if somebody waits for its messages: its receivers, or another entity it forwards to. */
    public void wakeReceivers(EntityInShard inShard) {
        if (!inShard.ready && (forwarding().hasWork(inShard) || Activity.isAwaited(inShard.state))) {
            scheduler.deliver(inShard);
        }
    }
}
