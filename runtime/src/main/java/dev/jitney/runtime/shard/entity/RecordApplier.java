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
    private final EntitiesInShard slots;
    private final ShardScheduler scheduler;
    private @Nullable ForwardingSink forwarding;

    public RecordApplier(ShardContext context, EntitiesInShard slots, ShardScheduler scheduler) {
        this.context = context;
        this.slots = slots;
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
        if (step.participant() instanceof EntityInShard slot) {
            touch(slot);
        }
    }

    /** Does a part of what the outcome of a transaction means, or of what an operation in it does at once. */
    public void carryOut(TransactionDecider.Step step) {
        if (step.participant() instanceof EntityInShard slot) {
            apply(slot, step.records(), false);
            apply(step.copies(), false);
            Reply.Sent sent = step.sent();
            if (sent != null && slot instanceof TopicInShard topic) {
                topic.counters.published(step.messages(), sent, context.nowMs());
            }
            if (sent != null) {
                countDuplicates(slot, sent);
            }
            wake(slot);
        }
    }

    /** Does what records say without its being activity of the entity: the broker does it for itself. */
    public void changeInside(EntityInShard slot, List<Record> records) {
        record(slot, records, true);
        wake(slot);
    }

    /** Does what the publication of messages says. */
    public void apply(TopicInShard topic, FanOut publication, boolean byTime) {
        apply(topic, publication.records(), byTime);
        apply(publication.copies(), byTime);
    }

    private void apply(List<FanOut.Copy> copies, boolean byTime) {
        for (FanOut.Copy copy : copies) {
            EntityInShard slot = slots.get(copy.subscriber().entityId());
            if (slot == null) {
                throw new IllegalStateException(
                        "Expected subscription " + copy.subscriber().entityId() + ".");
            }
            record(slot, List.of(copy.record()), byTime); // IDLE-9: no activity of the subscription
            wake(slot);
        }
    }

    /**
     * Does what records say.
     *
     * @param byTime whether time has brought them about, not a command
     */
    public void apply(EntityInShard slot, List<Record> records, boolean byTime) {
        if (!records.isEmpty()) {
            record(slot, records, byTime);
        }
    }

    private void record(EntityInShard slot, List<Record> records, boolean byTime) {
        long bytesBefore = slot.state.sizeBytes();
        for (Record record : records) {
            slot.applier.apply(record);
            if (!(record instanceof Record.Volatile)) {
                slot.counters.count(record, byTime);
                if (record instanceof Record.TransferQueued queued) {
                    forwarding().queued(slot.state.id(), queued.transfer());
                } else if (record instanceof Record.MessagePassed passed) {
                    forwarding().passed(slot, passed);
                }
                scheduler.write(slot);
            }
        }
        if (slot.state.hasUnwritten()) {
            scheduler.write(slot);
        }
        if (slot.topic != null) {
            slot.topic.count(slot.state.sizeBytes() - bytesBefore);
            if (slot.topic.bodies.isTouched()) {
                scheduler.write(slot.topic);
                scheduler.show(slot.topic);
            }
        }
        slot.lastUsedMs = context.nowMs();
        scheduler.show(slot);
    }

    /** Counts messages that were dropped because their ids were known. */
    public void countDuplicates(EntityInShard slot, Reply reply) {
        if (reply instanceof Reply.Sent sent && !sent.duplicates().isEmpty()) {
            slot.counters.dropped(sent.duplicates().size());
            scheduler.show(slot);
        }
    }

    /**
     * Remembers that an entity is used (IDLE-7 to IDLE-9), and with it its topic (IDLE-8). If nothing else is written about it,
     * this is, now and then (STATE-4).
     */
    public void touch(EntityInShard slot) {
        slot.state.touch(context.nowMs());
        if (slot.unwrittenAccessMs() >= ACCESS_PAUSE_MS) {
            scheduler.write(slot);
        }
        scheduler.show(slot);
        if (slot.topic != null) {
            touch(slot.topic);
        }
    }

    /** Has the last access written if it is in memory only. */
    public void writeAccess(EntityInShard slot) {
        if (slot.unwrittenAccessMs() > 0) {
            scheduler.write(slot);
        }
    }

    /** Something has changed about an entity: its receivers may have something to get, and time something to do. */
    public void wake(EntityInShard slot) {
        wakeReceivers(slot);
        scheduler.timers().arm(slot);
    }

    /** Has an entity take its turn if somebody waits for its messages: its receivers, or another entity it forwards to. */
    public void wakeReceivers(EntityInShard slot) {
        if (!slot.ready && (forwarding().hasWork(slot) || Activity.isAwaited(slot.state))) {
            scheduler.deliver(slot);
        }
    }
}
