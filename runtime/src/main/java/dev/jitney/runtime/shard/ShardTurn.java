package dev.jitney.runtime.shard;

import dev.jitney.core.LockTokenSequence;
import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.core.queue.state.MemoryBudget;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.rows.StoreFault;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowWriter;
import dev.jitney.runtime.shard.entity.DamagedEntities;
import dev.jitney.runtime.shard.entity.DeletionBacklog;
import dev.jitney.runtime.shard.entity.EntitiesInShard;
import dev.jitney.runtime.shard.entity.RecordApplier;
import dev.jitney.runtime.shard.entity.ShardContext;
import dev.jitney.runtime.shard.entity.ShardEntities;
import dev.jitney.runtime.shard.entity.ShardScheduler;
import dev.jitney.runtime.shard.forward.Forwarder;
import dev.jitney.runtime.shard.turn.Effects;
import dev.jitney.runtime.shard.turn.Mailbox;
import dev.jitney.runtime.shard.turn.TurnSteps;
import java.util.List;
import java.util.Random;

/**
 * The parts of a shard that work on its entities, and their order in a turn. {@link ShardCommands} does what clients ask for,
 * {@link EntityLifecycle} changes entities, {@link ShardTimers} does what is due, {@link ShardDeliveries} hands messages to
 * receivers, {@link Forwarder} to other entities; {@link RecordApplier} applies what they decide, in memory and to the shard's
 * batch at once. It is shown to the world when the shard has committed it. None of the parts knows this class. For the shard's
 * thread.
 */
final class ShardTurn {
    private static final int WINDOW_ENTRIES_MAX = 65_536;
    private static final int HEADS_PER_TURN = 16;

    /** So that very many busy queues, which need more than there is, do not cost a walk over all of them every turn. */
    private static final long TRIM_PAUSE_MS = 100;

    private final BrokerOptions options;
    private final MemoryBudget budget;
    private final StoreRowWriter writer;
    private final StoreRowReader reader;
    private final Effects effects = new Effects();
    private final EntitiesInShard entitiesInShard;
    private final ShardScheduler scheduler;
    private final ShardEntities entities;
    private final DamagedEntities damaged;
    private final ShardContext context;
    private final RecordApplier applier;
    private final Forwarder forwarder;
    private final ShardReceivers receivers = new ShardReceivers(effects);
    private final TemporaryEntities temporary;
    private final EntityLifecycle lifecycle;
    private final Transactions transactions;
    private final ShardCommands commands;
    private final ShardTimers timers;
    private final ShardDeliveries deliveries;
    private long nextTrimMs;

    ShardTurn(
            int shardIndex,
            Mailbox mailbox,
            TurnSteps steps,
            StoreRowWriter writer,
            StoreRowReader reader,
            BrokerOptions options,
            Random random) {
        this.options = options;
        this.writer = writer;
        this.reader = reader;
        this.budget = new MemoryBudget(options.cacheBytesMax(), options.cachedMessagesMax(), WINDOW_ENTRIES_MAX);
        this.entitiesInShard = new EntitiesInShard(writer, reader, budget, random, steps);
        this.scheduler = new ShardScheduler(entitiesInShard);
        this.entities = new ShardEntities(shardIndex, writer, reader);
        this.damaged = new DamagedEntities(shardIndex);
        LockTokenSequence tokens = new LockTokenSequence(random.nextLong(), random.nextLong());
        this.context = new ShardContext(mailbox, entitiesInShard, entities, damaged, steps, reader, tokens);
        this.applier = new RecordApplier(context, entitiesInShard, scheduler);
        this.forwarder = new Forwarder(context, applier, effects, reader, writer);
        applier.connect(forwarder);
        this.temporary = new TemporaryEntities(applier, entitiesInShard, reader, writer);
        this.lifecycle = new EntityLifecycle(
                context,
                applier,
                entities,
                entitiesInShard,
                scheduler,
                receivers,
                temporary,
                new DeletionBacklog(writer, reader),
                damaged,
                effects,
                forwarder::loadedCount);
        this.transactions = new Transactions(context, applier, effects, options.mailboxBytesMax());
        this.commands = new ShardCommands(context, applier, entitiesInShard, receivers, scheduler, effects);
        this.timers = new ShardTimers(
                context, applier, entitiesInShard, receivers, scheduler, temporary, lifecycle, reader, writer);
        this.deliveries =
                new ShardDeliveries(context, applier, entitiesInShard, receivers, scheduler, forwarder, reader, writer);
    }

    // --- the turn ---

    /** Reads the entities of the store, before the shard runs. */
    List<EntityRow> load(long now) {
        context.startLoading(now);
        forwarder.load(damaged::expect);
        temporary.load();
        return lifecycle.load();
    }

    /** A turn begins. */
    void start(long now) {
        context.startTurn(now);
        temporary.startTurn(context.nowMs());
        forwarder.startTurn();
    }

    /** A task has run: messages that it has had entities hand on go where they belong. */
    void finishTask() {
        forwarder.run();
    }

    /** The shard stops in good order: writes what a start needs and is in memory only; a commit follows. */
    void stop() {
        temporary.stop(context.nowMs());
    }

    /** Tells whether the store takes what adds messages. */
    void acceptsGrowth(boolean accepts) {
        context.setAcceptsGrowth(accepts);
        entitiesInShard.hasCapacity(accepts).forEach(scheduler.timers()::arm);
        if (accepts) {
            entitiesInShard.all().forEach(applier::wakeReceivers); // messages may wait to be handed on
        }
    }

    /**
     * Does what commands have not asked for by name.
     *
     * @return whether there was anything to do, or somebody waits for the commit
     */
    boolean work() {
        long nowMs = context.nowMs();
        boolean worked = transactions.runTimers(nowMs);
        worked |= forwarder.runTimers(nowMs);
        worked |= temporary.runTimers(nowMs);
        worked |= timers.run();
        forwarder.run();
        worked |= deliveries.run();
        worked |= lifecycle.clearBacklog();
        return worked || effects.isUrgent();
    }

    /** Uses an idle moment to learn how old waiting messages are, after a start above all; a few queues at a time. */
    boolean findHeads() {
        return scheduler.findHeads(reader, HEADS_PER_TURN);
    }

    /** When there is something to do next without a task, {@link Long#MAX_VALUE} if never. */
    long nextTimerMs() {
        long nextMs = Math.min(scheduler.timers().nextMs(), transactions.nextTimerMs());
        return Math.min(nextMs, Math.min(forwarder.nextTimerMs(), temporary.nextTimerMs()));
    }

    /** Gives back memory if there is little left. */
    void trimCaches() {
        if (budget.isTight() && context.nowMs() >= nextTrimMs) {
            nextTrimMs = context.nowMs() + TRIM_PAUSE_MS;
            entitiesInShard.giveBackMemory(options);
        }
    }

    // --- commit and failure ---

    /** Writes the rows that are due with every batch; returns whether there are any. */
    boolean writeTotals() {
        forwarder.park();
        return scheduler.writeTotals(writer);
    }

    /** Writes what has changed about sessions, which is written with every batch otherwise. */
    void writeSessions() {
        scheduler.writeSessions(writer);
    }

    /**
     * The commit has succeeded: shows everything to the world and lets go what waited for it.
     *
     * @param batchNumber of the batch, as {@link Effects#batchNumber} told before the commit
     */
    void settle(long batchNumber) {
        scheduler.committed();
        entities.settle();
        scheduler.publishChanged();
        effects.release(batchNumber);
        receivers.settle();
        forwarder.committed();
    }

    /** The commit has failed: requests learn it, receivers are closed, what was applied is forgotten. */
    void fail(Rejection growing, Rejection other) {
        effects.fail(effects.batchNumber(), growing, other);
        Rejection closed = new Rejection(ErrorCode.DETACH_FORCED, "The messaging store is restarting.");
        receivers.closeAll(closed, other);
        effects.release(effects.batchNumber()); // they wait for no commit
        scheduler.clear();
        transactions.lose();
        commands.lose();
        forwarder.lose();
        temporary.lose(context.nowMs());
        entities.forgetChanges();
    }

    /** Takes over what the store has after a failure; may have been tried before, and have failed in the middle. */
    void reload() {
        scheduler.clear();
        forwarder.loseTransfers();
        temporary.lose(context.nowMs());
        forwarder.load(damaged::expect);
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
    void retryDamaged() {
        lifecycle.retryDamaged();
    }

    // --- its parts ---

    MemoryBudget budget() {
        return budget;
    }

    /** Answers and deliveries that wait for the commit. */
    Effects effects() {
        return effects;
    }

    /** The facts of this turn. */
    ShardContext context() {
        return context;
    }

    /** Does what clients ask for. */
    ShardCommands commands() {
        return commands;
    }

    /** Those that are out of service. */
    DamagedEntities damaged() {
        return damaged;
    }

    /** Creates, changes and removes entities. */
    EntityLifecycle lifecycle() {
        return lifecycle;
    }

    /** The open transactions of this shard. */
    Transactions transactions() {
        return transactions;
    }

    /** Hands messages on to other entities. */
    Forwarder forwarder() {
        return forwarder;
    }
}
