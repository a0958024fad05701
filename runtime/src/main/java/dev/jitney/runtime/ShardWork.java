package dev.jitney.runtime;

import dev.jitney.core.LockTokenSequence;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.core.Situation;
import dev.jitney.core.queue.state.MemoryBudget;
import dev.jitney.core.topic.FanOut;
import dev.jitney.core.transaction.decide.TransactionDecider;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.rows.StoreFault;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowWriter;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What a shard does with its entities in a turn. {@link ShardCommands} carries out commands, {@link EntityLifecycle} changes
 * entities, {@link ShardTimers} lets time do its part, {@link ShardDeliveries} hands messages to receivers; what they decide
 * is done here. Everything is applied in memory and written to the shard's batch at once, and shown to the world when the
 * shard has committed it. For the shard's thread.
 */
final class ShardWork {
    /** For listeners that only complete a future. */
    private static final Executor INLINE = Runnable::run;

    private static final int WINDOW_ENTRIES_MAX = 65_536;
    private static final int HEADS_PER_TURN = 16;

    /** So that very many busy queues, which need more than there is, do not cost a walk over all of them every turn. */
    private static final long TRIM_PAUSE_MS = 100;

    private final BrokerOptions options;
    private final MemoryBudget budget;
    private final StoreRowWriter writer;
    private final StoreRowReader reader;
    private final Effects effects = new Effects();
    private final TurnSteps steps = new TurnSteps();
    private final LockTokenSequence tokens;
    private final ShardSlots slots;
    private final ShardEntities entities;
    private final EntityLifecycle lifecycle;
    private final ShardCommands commands;
    private final ShardTimers timers;
    private final ShardDeliveries deliveries;
    private final ShardReceivers receivers = new ShardReceivers(effects);
    private final Agenda agenda;
    private final Transactions transactions;
    private final Outbox outbox;
    private final Arrivals arrivals;
    private final TemporaryEntities temporary;
    private final Forwarder forwarder;
    private final DamagedEntities damaged;
    private long nowMs;
    private long nextTrimMs;
    private boolean acceptsGrowth = true;

    ShardWork(int shardIndex, StoreRowWriter writer, StoreRowReader reader, BrokerOptions options, Random random) {
        this.options = options;
        this.writer = writer;
        this.reader = reader;
        this.budget = new MemoryBudget(options.cacheBytesMax(), options.cachedMessagesMax(), WINDOW_ENTRIES_MAX);
        this.entities = new ShardEntities(shardIndex, writer, reader);
        this.outbox = new Outbox(this, reader);
        this.forwarder = new Forwarder(this, reader, outbox);
        this.arrivals = new Arrivals(this, effects, reader, writer);
        this.transactions = new Transactions(this, effects, options.mailboxBytesMax());
        this.slots = new ShardSlots(writer, reader, budget, random, steps);
        this.agenda = new Agenda(slots);
        this.temporary = new TemporaryEntities(this, slots, reader, writer);
        this.damaged = new DamagedEntities(shardIndex);
        this.lifecycle = new EntityLifecycle(
                this, entities, slots, agenda, receivers, temporary, new Remains(writer, reader), damaged);
        this.commands = new ShardCommands(this, slots, receivers, agenda, effects);
        this.timers = new ShardTimers(this, slots, receivers, agenda, temporary, reader);
        this.deliveries = new ShardDeliveries(this, slots, receivers, agenda, forwarder, reader);
        this.tokens = new LockTokenSequence(random.nextLong(), random.nextLong());
    }

    // --- the shard's turn ---

    /** Reads the entities of the store, before the shard runs. */
    List<EntityRow> load(long now) {
        nowMs = now;
        outbox.load();
        temporary.load();
        return lifecycle.load();
    }

    /** A turn begins. */
    void startTurn(long now) {
        nowMs = Math.max(nowMs, now);
        temporary.startTurn(nowMs);
        forwarder.startTurn();
        steps.startTurn();
    }

    /** A letter was opened: what it has had entities hand on goes where it belongs. */
    void finishLetter() {
        forwarder.run();
    }

    /** The shard stops in good order: writes what a start needs and is in memory only; a commit follows. */
    void stop() {
        temporary.stop(nowMs);
    }

    /** Whether the store takes what adds messages. */
    void acceptsGrowth(boolean accepts) {
        acceptsGrowth = accepts;
        slots.hasRoom(accepts).forEach(agenda.alarms()::arm);
        if (accepts) {
            slots.all().forEach(this::wakeReceivers); // messages may wait to be handed on
        }
    }

    /**
     * Does what commands have not asked for by name.
     *
     * @return whether there was anything to do, or somebody waits for the commit
     */
    boolean goOn() {
        boolean worked = transactions.runTimers(nowMs);
        worked |= outbox.runTimers(nowMs);
        worked |= forwarder.deadLetters().runTimers(nowMs);
        worked |= temporary.runTimers(nowMs);
        worked |= timers.run();
        forwarder.run();
        worked |= deliveries.run();
        worked |= lifecycle.clearRemains();
        return worked || effects.isUrgent();
    }

    /** Uses an idle moment to learn how old waiting messages are, after a start above all; a few queues at a time. */
    boolean findHeads() {
        return agenda.findHeads(reader, HEADS_PER_TURN);
    }

    /** When time has something to do next, {@link Long#MAX_VALUE} if never. */
    long nextTimerMs() {
        long nextMs = Math.min(agenda.alarms().nextMs(), Math.min(transactions.nextTimerMs(), outbox.nextTimerMs()));
        return Math.min(nextMs, Math.min(forwarder.deadLetters().nextTimerMs(), temporary.nextTimerMs()));
    }

    /** What rules have cost in this turn. */
    TurnSteps steps() {
        return steps;
    }

    MemoryBudget budget() {
        return budget;
    }

    Effects effects() {
        return effects;
    }

    /** Gives back memory if there is little left. */
    void spareMemory() {
        if (budget.isTight() && nowMs >= nextTrimMs) {
            nextTrimMs = nowMs + TRIM_PAUSE_MS;
            slots.giveBackMemory(options);
        }
    }

    /** Writes the rows that are due with every batch; returns whether there are any. */
    boolean writeTotals() {
        forwarder.park();
        return agenda.writeTotals(writer);
    }

    /** The commit has succeeded: shows everything to the world and lets go what waited for it. */
    void settle() {
        agenda.committed();
        entities.settle();
        agenda.publishChanged();
        effects.release();
        receivers.settle();
        arrivals.settle();
        outbox.depart();
    }

    /** The commit has failed: requests learn it, receivers are closed, what was applied is forgotten. */
    void fail(Rejection growing, Rejection other) {
        effects.fail(growing, other);
        Rejection closed = new Rejection(ErrorCode.DETACH_FORCED, "The messaging store is restarting.");
        receivers.closeAll(closed, other);
        effects.release();
        agenda.clear();
        transactions.lose();
        commands.lose();
        outbox.lose();
        arrivals.lose();
        forwarder.lose();
        temporary.lose(nowMs);
        entities.forgetChanges();
    }

    /** Takes over what the store has after a failure; may have been tried before, and have failed in the middle. */
    void reload() {
        agenda.clear();
        outbox.lose();
        temporary.lose(nowMs);
        outbox.load();
        lifecycle.reload();
    }

    /**
     * The turn ends with a fault. If a row of one entity is damaged, that goes out of service, so that it does not end the next
     * one too.
     */
    void contain(StoreFault fault) {
        if (DamagedEntities.isDamage(fault)) {
            lifecycle.contain(fault);
        }
    }

    /** Damaged entities are served again until they are found damaged again. */
    void giveAnotherChance() {
        lifecycle.giveAnotherChance();
    }

    // --- what is known in a turn ---

    /** The time of this turn, milliseconds since the epoch. */
    long nowMs() {
        return nowMs;
    }

    /** What a decision may know now. */
    Situation situation() {
        return new Situation(nowMs, acceptsGrowth, reader, tokens);
    }

    /** The queue, topic or subscription of that number as transactions see it, or null if it is gone. */
    @Nullable
    EntitySlot participant(long entityId) {
        return slots.get(entityId);
    }

    /** Why an entity that has no slot does nothing: it is out of service for a while, or it is not there. */
    Rejection missing(long entityId) {
        Rejection outOfService = damaged.refusal(entities.find(entityId));
        return outOfService == null ? Rejection.of(ErrorCode.ENTITY_NOT_FOUND) : outOfService;
    }

    /** Whether an entity is out of service. */
    boolean isDamaged(long entityId) {
        ServedEntity entity = entities.find(entityId);
        return entity != null && damaged.contains(entity);
    }

    /** A row of an entity was found damaged before the entity is taken over from the store. */
    void expectDamage(StoreFault fault) {
        damaged.expect(fault);
    }

    // --- doing what was decided ---

    /** As {@link #carryOut}, as activity of the entity: what somebody asked for, not what became of it later. */
    void use(TransactionDecider.Step step) {
        carryOut(step);
        if (step.participant() instanceof EntitySlot slot) {
            touch(slot);
        }
    }

    /** Does a part of what the outcome of a transaction means, or of what an operation in it does at once. */
    void carryOut(TransactionDecider.Step step) {
        if (step.participant() instanceof EntitySlot slot) {
            apply(slot, step.records(), false);
            apply(step.copies(), false);
            Reply.Sent sent = step.sent();
            if (sent != null && slot instanceof TopicSlot topic) {
                topic.tally.published(step.messages(), sent, nowMs);
            }
            if (sent != null) {
                countDuplicates(slot, sent);
            }
            wake(slot);
        }
    }

    /** Does what records say without its being activity of the entity: the broker does it for itself. */
    void changeInside(EntitySlot slot, List<Record> records) {
        record(slot, records, true);
        wake(slot);
    }

    /** Does what the publication of messages says. */
    void apply(TopicSlot topic, FanOut publication, boolean byTime) {
        apply(topic, publication.records(), byTime);
        apply(publication.copies(), byTime);
    }

    private void apply(List<FanOut.Copy> copies, boolean byTime) {
        for (FanOut.Copy copy : copies) {
            EntitySlot slot = slots.get(copy.subscriber().entityId());
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
    void apply(EntitySlot slot, List<Record> records, boolean byTime) {
        if (!records.isEmpty()) {
            record(slot, records, byTime);
        }
    }

    private void record(EntitySlot slot, List<Record> records, boolean byTime) {
        long bytesBefore = slot.state.sizeBytes();
        for (Record record : records) {
            slot.applier.apply(record);
            if (!(record instanceof Record.Volatile)) {
                slot.tally.count(record, byTime);
                if (record instanceof Record.TransferQueued queued) {
                    outbox.queued(slot.state.id(), queued.transfer());
                } else if (record instanceof Record.MessagePassed passed) {
                    forwarder.passed(slot, passed);
                }
                agenda.write(slot);
            }
        }
        if (slot.state.hasUnwritten()) {
            agenda.write(slot);
        }
        if (slot.topic != null) {
            slot.topic.count(slot.state.sizeBytes() - bytesBefore);
            if (slot.topic.bodies.isTouched()) {
                agenda.write(slot.topic);
                agenda.show(slot.topic);
            }
        }
        slot.lastUsedMs = nowMs;
        agenda.show(slot);
    }

    /** Counts messages that were dropped because their ids were known. */
    void countDuplicates(EntitySlot slot, Reply reply) {
        if (reply instanceof Reply.Sent sent && !sent.duplicates().isEmpty()) {
            slot.tally.dropped(sent.duplicates().size());
            agenda.show(slot);
        }
    }

    /**
     * Remembers that an entity is used (IDLE-7 to IDLE-9), and with it its topic (IDLE-8). If nothing else is written about it,
     * this is, now and then (STATE-4).
     */
    void touch(EntitySlot slot) {
        slot.state.touch(nowMs);
        if (slot.unwrittenAccessMs() >= TemporaryEntities.ACCESS_PAUSE_MS) {
            agenda.write(slot);
        }
        agenda.show(slot);
        if (slot.topic != null) {
            touch(slot.topic);
        }
    }

    /** Has the last access written if it is in memory only. */
    void writeAccess(EntitySlot slot) {
        if (slot.unwrittenAccessMs() > 0) {
            agenda.write(slot);
        }
    }

    /** Something has changed about an entity: its receivers may have something to get, and time something to do. */
    void wake(EntitySlot slot) {
        wakeReceivers(slot);
        agenda.alarms().arm(slot);
    }

    /** Messages of an entity may go to its receivers, or on to another entity. */
    void wakeReceivers(EntitySlot slot) {
        deliveries.wake(slot);
    }

    /** Tells the listener when everything done so far in this turn is durable, or is not. */
    void afterCommit(ReplyListener listener) {
        effects.reply(INLINE, listener, Reply.Done.INSTANCE, false);
    }

    // --- who does what ---

    /** What carries out what clients ask for. */
    ShardCommands commands() {
        return commands;
    }

    /** The entities and the rows that describe them. */
    ShardEntities entities() {
        return entities;
    }

    /** Those that are out of service. */
    DamagedEntities damaged() {
        return damaged;
    }

    /** What creates, changes and removes them. */
    EntityLifecycle lifecycle() {
        return lifecycle;
    }

    /** What transactions do in this shard. */
    Transactions transactions() {
        return transactions;
    }

    /** What hands messages on to other entities. */
    Forwarder forwarder() {
        return forwarder;
    }

    /** What leaves for other entities. */
    Outbox outbox() {
        return outbox;
    }

    /** What comes from other entities. */
    Arrivals arrivals() {
        return arrivals;
    }
}
