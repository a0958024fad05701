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
import dev.jitney.runtime.testing.MessageHistory;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a shard that work on its entities, and their order in a turn. {@link ShardCommands} executes the
 * commands of clients, {@link EntityLifecycle} changes entities, {@link ShardTimers} runs timers, {@link
 * ShardDeliveries} delivers to receivers, and {@link Forwarder} forwards to other entities. {@link RecordApplier}
 * applies their decisions at once, in memory and to the shard's batch. Results become visible after the commit. None of
 * the parts knows this class. For the shard's thread.
 */
final class ShardTurn {
    private static final int WINDOW_ENTRIES_MAX = 65_536;
    private static final int HEADS_PER_TURN = 16;

    /**
     * The pause between two walks over all queues to free memory, which are expensive if very many busy queues exceed
     * the budget.
     */
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
    private final Replacements replacements;
    private final ShardCommands commands;
    private final ShardTimers timers;
    private final ShardDeliveries deliveries;
    private final @Nullable HistoryRecorder recorder;
    private final @Nullable Interventions interventions;
    private long nextTrimMs;

    ShardTurn(
            int shardIndex,
            Mailbox mailbox,
            TurnSteps steps,
            StoreRowWriter writer,
            StoreRowReader reader,
            BrokerOptions options,
            TransactionMemory transactionMemory,
            Random random,
            @Nullable MessageHistory history) {
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
        this.transactions = new Transactions(context, applier, effects, transactionMemory);
        this.replacements = new Replacements(context, applier, effects);
        this.commands = new ShardCommands(context, applier, entitiesInShard, receivers, scheduler, effects);
        this.timers = new ShardTimers(
                context, applier, entitiesInShard, receivers, scheduler, temporary, lifecycle, reader, writer);
        if (history == null) {
            recorder = null;
            interventions = null;
        } else {
            recorder = new HistoryRecorder(history, context::nowMs);
            applier.listen(recorder);
            interventions =
                    new Interventions(context, applier, entitiesInShard, scheduler, forwarder, effects, recorder);
        }
        this.deliveries = new ShardDeliveries(
                context, applier, entitiesInShard, receivers, scheduler, forwarder, reader, writer, interventions);
    }

    // --- the turn ---

    /** Reads the entities of the store, before the shard runs. */
    List<EntityRow> load(long now) {
        context.startLoading(now);
        forwarder.load(damaged::expect);
        temporary.load();
        return lifecycle.load();
    }

    /** Begins a turn. */
    void start(long now) {
        context.startTurn(now);
        temporary.startTurn(context.nowMs());
        forwarder.startTurn();
    }

    /** Finishes a task: moves the messages that entities forwarded in it to their destinations. */
    void finishTask() {
        forwarder.run();
    }

    /** Writes the state in memory that the next start needs, before an orderly stop. A commit follows. */
    void stop() {
        temporary.stop(context.nowMs());
    }

    /** Sets whether the store accepts more messages. */
    void acceptsGrowth(boolean accepts) {
        context.setAcceptsGrowth(accepts);
        entitiesInShard.hasCapacity(accepts).forEach(scheduler.timers()::arm);
        if (accepts) {
            entitiesInShard.all().forEach(applier::wakeReceivers); // messages may wait to be forwarded
        }
    }

    /**
     * Does all work that is not a task: timers, forwarding, deliveries and pending deletions.
     *
     * @return whether there was anything to do, or an urgent reply waits for the commit
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

    /** Looks up the age of the oldest waiting message of a few queues in an idle moment, mainly after a start. */
    boolean findHeads() {
        return scheduler.findHeads(reader, HEADS_PER_TURN);
    }

    /** Returns the time of the next work that needs no task, or {@link Long#MAX_VALUE}. */
    long nextTimerMs() {
        long nextMs = Math.min(scheduler.timers().nextMs(), transactions.nextTimerMs());
        return Math.min(nextMs, Math.min(forwarder.nextTimerMs(), temporary.nextTimerMs()));
    }

    /** Releases memory if the budget is nearly used up. */
    void trimCaches() {
        if (budget.isTight() && context.nowMs() >= nextTrimMs) {
            nextTrimMs = context.nowMs() + TRIM_PAUSE_MS;
            entitiesInShard.giveBackMemory(options, context.nowMs());
        }
    }

    // --- commit and failure ---

    /** Writes the rows that accompany every batch. Returns whether there are any. */
    boolean writeTotals() {
        forwarder.park();
        return scheduler.writeTotals(writer);
    }

    /** Writes the changed sessions now instead of with the batch. */
    void writeSessions() {
        scheduler.writeSessions(writer);
    }

    /**
     * Handles a successful commit: makes the changes visible and releases the effects that wait for it.
     *
     * @param batchNumber {@link Effects#batchNumber} before the commit
     */
    void settle(long batchNumber) {
        scheduler.committed();
        entities.settle();
        scheduler.publishChanged();
        effects.release(batchNumber);
        receivers.settle();
        forwarder.committed();
        if (recorder != null) {
            recorder.committed();
        }
    }

    /** Handles a failed commit: refuses the requests, closes receivers, and drops all state that was applied. */
    void fail(Rejection growing, Rejection other) {
        effects.fail(effects.batchNumber(), growing, other);
        Rejection closed = new Rejection(ErrorCode.DETACH_FORCED, "The messaging store is restarting.");
        receivers.closeAll(closed, other);
        effects.release(effects.batchNumber()); // refusals wait for no commit
        scheduler.clear();
        transactions.lose();
        commands.lose();
        forwarder.lose();
        temporary.lose(context.nowMs());
        entities.forgetChanges();
        if (recorder != null) {
            recorder.failed();
        }
    }

    /** Reloads the state from the store after a failure. An earlier attempt may have failed halfway. */
    void reload() {
        scheduler.clear();
        forwarder.loseTransfers();
        temporary.lose(context.nowMs());
        forwarder.load(damaged::expect);
        lifecycle.reload();
    }

    /**
     * Handles a fault that ends the turn. If a row of one entity is corrupt, that entity goes out of service, so that
     * it does not end the next turn too.
     */
    void contain(StoreFault fault) {
        if (DamagedEntities.isDamage(fault)) {
            lifecycle.contain(fault);
        }
    }

    /** Serves damaged entities again until the next corrupt row is found. */
    void retryDamaged() {
        lifecycle.retryDamaged();
    }

    // --- its parts ---

    MemoryBudget budget() {
        return budget;
    }

    /** Returns the replies and deliveries that wait for the commit. */
    Effects effects() {
        return effects;
    }

    /** Returns the facts of this turn. */
    ShardContext context() {
        return context;
    }

    /** Returns the part that executes the commands of clients. */
    ShardCommands commands() {
        return commands;
    }

    /** Returns the entities that are out of service. */
    DamagedEntities damaged() {
        return damaged;
    }

    /** Returns the part that creates, changes and deletes entities. */
    EntityLifecycle lifecycle() {
        return lifecycle;
    }

    /** Ends all open transactions, because the shard will not run any more. */
    void loseTransactions() {
        transactions.lose();
    }

    /** Returns the open transactions of this shard. */
    Transactions transactions() {
        return transactions;
    }

    /** Returns the part that replaces messages. */
    Replacements replacements() {
        return replacements;
    }

    /** Returns the part for tests; null if the broker is not under test. */
    @Nullable
    Interventions interventions() {
        return interventions;
    }

    /** Returns the part that forwards messages to other entities. */
    Forwarder forwarder() {
        return forwarder;
    }
}
