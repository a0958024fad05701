package dev.jitney.runtime.shard;

import dev.jitney.core.Command;
import dev.jitney.core.Decision;
import dev.jitney.core.Reply;
import dev.jitney.core.idle.Activity;
import dev.jitney.core.transaction.decide.Destination;
import dev.jitney.core.transaction.decide.TransactionDecider;
import dev.jitney.core.transaction.state.OpenTransaction;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.Transaction;
import dev.jitney.runtime.shard.entity.EntityInShard;
import dev.jitney.runtime.shard.entity.HostedEntity;
import dev.jitney.runtime.shard.entity.RecordApplier;
import dev.jitney.runtime.shard.entity.ShardContext;
import dev.jitney.runtime.shard.turn.Effects;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The open transactions of a shard, in the order in which they began. The operations of a transaction stay in memory
 * until its commit. The commit is applied within one turn and so within one batch of rows (TX-12). For the shard's
 * thread.
 */
public final class Transactions {
    /** The longest duration of a transaction (TX-9). */
    static final long TIMEOUT_MS = 120_000;

    /**
     * The limit of open transactions. It is high enough that abandoned transactions time out before they block other
     * clients.
     */
    private static final int OPEN_MAX = 20_000;

    private static final Rejection DISPLACED = new Rejection(
            ErrorCode.TRANSACTION_ROLLBACK,
            "The transaction was rolled back for the transactions of other clients, because its client had most of those that are"
                    + " open. Commit earlier, or use fewer transactions at a time.");

    private final ShardContext context;
    private final RecordApplier applier;
    private final Effects effects;
    private final TransactionMemory memory;
    private final Map<Long, Entry> open = new LinkedHashMap<>();
    private final TransactionShares shares = new TransactionShares();

    /** The bytes that the open transactions hold in {@link #memory}. */
    private long bytes;

    /** A transaction with its handle. */
    private record Entry(TransactionHandle holder, OpenTransaction gathered) {}

    /** @param memory the memory of all open transactions of the process */
    Transactions(ShardContext context, RecordApplier applier, Effects effects, TransactionMemory memory) {
        this.context = context;
        this.applier = applier;
        this.effects = effects;
        this.memory = memory;
    }

    /** Decides an operation. The reply waits for the commit of the turn. */
    public void execute(
            TransactionHandle holder,
            HostedEntity entity,
            Transaction.Work work,
            Executor executor,
            ReplyListener listener) {
        runTimers(context.nowMs());
        Rejection refusal = holder.lost();
        if (refusal == null) {
            refusal = tooMuch(holder, work.command());
        }
        if (refusal != null) {
            holder.spoil(refusal);
            effects.reject(executor, listener, refusal);
            return;
        }
        OpenTransaction gathered = enter(holder);
        long stepsBefore = context.steps().used();
        Decision decision;
        try {
            decision = decide(holder, gathered, entity, work);
        } catch (RuntimeException e) {
            // Reply before the exception discards the batch, so that the caller gets an answer.
            effects.reject(executor, listener, Rejection.of(ErrorCode.INTERNAL));
            throw e;
        }
        Rejection longer = holder.spend(context.steps().used() - stepsBefore);
        if (longer != null) {
            decision = Decision.reject(longer);
        }
        Reply reply = decision.reply();
        if (reply != null) {
            EntityInShard inShard = context.find(entity.id());
            if (inShard != null && Activity.isUse(work.command())) {
                applier.touch(inShard);
            }
            entity.count(work.command(), reply);
            effects.reply(executor, listener, reply, work.command() instanceof Command.SendMessages);
        } else if (decision.rejection() != null) {
            gathered.spoil(decision.rejection()); // TX-16
            holder.spoil(decision.rejection()); // a later operation may be in the shard of another fragment
            effects.reject(executor, listener, decision.rejection());
        }
    }

    private @Nullable Rejection tooMuch(TransactionHandle holder, Command command) {
        Entry entry = open.get(holder.id());
        if (entry == null && open.size() >= OPEN_MAX && !displace(shares.displacedForOne(holder.client(), OPEN_MAX))) {
            return new Rejection(
                    ErrorCode.SERVER_BUSY, "Too many transactions are open. Please wait 10 seconds and try again.");
        }
        long more = EntityTasks.bytesOf(command);
        long held = entry == null ? 0 : entry.gathered().messageBytes();
        if (held + more > memory.bytesMax()) {
            return new Rejection(
                    ErrorCode.QUOTA_EXCEEDED,
                    "Expected messages of at most " + memory.bytesMax() + " bytes in a transaction, but got "
                            + (held + more) + ". A larger heap of the server raises this limit.");
        }
        while (!memory.hasRoom(bytes, more)) {
            if (!displace(shares.displacedForBytes(holder.client(), more, memory.bytesMax()))) {
                return new Rejection(
                        ErrorCode.SERVER_BUSY,
                        "Too many messages are waiting in open transactions. Please wait 10 seconds and try again.");
            }
        }
        return null;
    }

    /** Rolls back a transaction for that of another client. Returns false if there is none to roll back. */
    private boolean displace(@Nullable Long number) {
        Entry entry = number == null ? null : open.get(number);
        if (entry == null) {
            return false;
        }
        leave(entry.holder());
        entry.holder().lose(DISPLACED);
        takeBack(entry.gathered());
        return true;
    }

    private void hold(long more) {
        bytes += more;
        memory.add(more);
    }

    private OpenTransaction enter(TransactionHandle holder) {
        Entry entry = open.get(holder.id());
        if (entry == null) {
            entry = new Entry(
                    holder, new OpenTransaction(holder.id(), holder.via().id(), context.nowMs()));
            open.put(holder.id(), entry);
            shares.set(holder, 0);
        }
        return entry.gathered();
    }

    private Decision decide(
            TransactionHandle holder, OpenTransaction gathered, HostedEntity entity, Transaction.Work work) {
        Decision decision = judge(gathered, entity, work);
        if (decision.reply() != null) {
            long before = gathered.messageBytes();
            gathered.keep(entity.id(), work.command(), decision.reply());
            hold(gathered.messageBytes() - before);
            shares.set(holder, gathered.messageBytes());
        }
        return decision;
    }

    private Decision judge(OpenTransaction gathered, HostedEntity entity, Transaction.Work work) {
        if (!context.hosts(entity) && work.command() instanceof Command.SendMessages send) {
            boolean requiresSession = entity.description().requiresSession();
            return TransactionDecider.decide(
                    gathered,
                    new Destination(entity.id(), entity.maxMessageSizeBytes(), entity.limits(), requiresSession),
                    send);
        }
        EntityInShard inShard = context.find(entity.id());
        if (inShard == null) {
            return Decision.reject(context.missing(entity.id()));
        }
        Decision decision =
                TransactionDecider.decide(gathered, inShard, work.command(), work.schedule(), context.situation());
        applier.carryOut(TransactionDecider.Step.of(inShard, decision.records()));
        return decision;
    }

    /** Applies all operations of a transaction, or rolls back and replies with the reason. */
    public void commit(TransactionHandle holder, Executor executor, ReplyListener listener) {
        runTimers(context.nowMs());
        OpenTransaction gathered = leave(holder);
        if (gathered == null) {
            answerWithout(holder, executor, listener);
            return;
        }
        Rejection failed = holder.failed();
        if (failed != null) {
            gathered.spoil(failed);
        }
        try {
            TransactionDecider.Commit commit = TransactionDecider.commit(gathered, context::find, context.situation());
            if (commit.rejection() == null) {
                // Read nothing from here to the end of the turn, since a read may commit what was applied so far.
                commit.steps().forEach(applier::use);
                effects.reply(executor, listener, Reply.Done.INSTANCE, true);
            } else {
                takeBack(gathered);
                effects.reject(executor, listener, commit.rejection());
            }
        } catch (RuntimeException e) {
            effects.reject(executor, listener, Rejection.of(ErrorCode.INTERNAL));
            throw e;
        }
    }

    /**
     * Replies to the commit of a transaction that is not open here: it had no operations, or the shard has ended it.
     */
    private void answerWithout(TransactionHandle holder, Executor executor, ReplyListener listener) {
        Rejection lost = holder.lost();
        Rejection failed = holder.failed();
        if (lost != null) {
            effects.reject(executor, listener, lost);
        } else if (failed != null) {
            effects.reject(
                    executor,
                    listener,
                    new Rejection(
                            ErrorCode.TRANSACTION_ROLLBACK,
                            "The transaction was rolled back because an operation was refused: "
                                    + failed.description()));
        } else {
            effects.reply(executor, listener, Reply.Done.INSTANCE, false);
        }
    }

    /** Rolls back a transaction. */
    public void rollback(TransactionHandle holder, Executor executor, ReplyListener listener) {
        OpenTransaction gathered = leave(holder);
        if (gathered != null) {
            takeBack(gathered);
        }
        effects.reply(executor, listener, Reply.Done.INSTANCE, false);
    }

    private @Nullable OpenTransaction leave(TransactionHandle holder) {
        Entry entry = open.remove(holder.id());
        if (entry == null) {
            return null;
        }
        hold(-entry.gathered().messageBytes());
        shares.remove(holder);
        return entry.gathered();
    }

    private void takeBack(OpenTransaction gathered) {
        TransactionDecider.rollback(gathered, context::find).forEach(applier::carryOut);
    }

    /** Rolls back transactions that have timed out. Returns whether there were any. */
    boolean runTimers(long nowMs) {
        boolean worked = false;
        while (nextTimerMs() <= nowMs) {
            Entry entry = open.values().iterator().next();
            leave(entry.holder());
            entry.holder()
                    .lose(new Rejection(
                            ErrorCode.TRANSACTION_TIMEOUT,
                            "The transaction has timed out and was rolled back. The server Transaction timeout is:"
                                    + " 00:02:00."));
            takeBack(entry.gathered());
            worked = true;
        }
        return worked;
    }

    /** Returns the time when the oldest transaction times out, or {@link Long#MAX_VALUE}. */
    long nextTimerMs() {
        return open.isEmpty()
                ? Long.MAX_VALUE
                : open.values().iterator().next().gathered().startedAtMs() + TIMEOUT_MS;
    }

    /** Ends all open transactions, because the state in memory is lost. */
    void lose() {
        Rejection reason = new Rejection(
                ErrorCode.TRANSACTION_ROLLBACK,
                "The transaction was rolled back because the messaging store has restarted.");
        open.values().forEach(entry -> {
            hold(-entry.gathered().messageBytes());
            shares.remove(entry.holder());
            entry.holder().lose(reason);
        });
        open.clear();
    }
}
