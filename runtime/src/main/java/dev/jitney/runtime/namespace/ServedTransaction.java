package dev.jitney.runtime.namespace;

import dev.jitney.codec.StoredMessages;
import dev.jitney.core.Command;
import dev.jitney.core.CommandTraits.Routing;
import dev.jitney.core.Reply;
import dev.jitney.core.partition.FragmentTokens;
import dev.jitney.core.partition.KeyRules;
import dev.jitney.core.partition.TransactionScope;
import dev.jitney.core.topic.decide.TopicDecider;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.Transaction;
import dev.jitney.runtime.shard.EntityTasks;
import dev.jitney.runtime.shard.Shard;
import dev.jitney.runtime.shard.TransactionHandle;
import dev.jitney.runtime.shard.Transactions;
import dev.jitney.runtime.shard.entity.HostedEntity.SendTarget;
import dev.jitney.runtime.shard.turn.ShardTask;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A transaction as its caller uses it. The first operation determines the entity, whose shard collects all operations
 * of the transaction and decides its outcome. All operations are tasks of that shard and therefore keep their order.
 */
public final class ServedTransaction extends Transaction implements TransactionHandle {
    private static final AtomicLong IDS = new AtomicLong();

    private final long id = nextId();
    private final EntityDirectory namespace;
    private final Object client;

    /** The queue or topic of the first operation (TX-3, TX-6). */
    private @Nullable ServedEntity via;

    /** The queue or topic that holds the transaction, or its fragment that the transaction is bound to (PART-34). */
    private @Nullable ServedEntity place;

    private TransactionScope scope = TransactionScope.OPEN;

    private boolean ended;

    /** The refusal of an operation that did not reach the shard; later ones do not replace it. */
    private @Nullable Rejection failed;

    /** The reason why the shard has ended the transaction. Written by the shard's thread. */
    private volatile @Nullable Rejection lost;

    /** The evaluation steps that topic rules have used for its messages. For the shard's thread. */
    private long steps;

    ServedTransaction(EntityDirectory namespace, Object client) {
        this.namespace = namespace;
        this.client = client;
    }

    /** Returns a number for a transaction or a two-phase request. */
    public static long nextId() {
        return IDS.incrementAndGet();
    }

    /** Returns its number, unique while the process runs. */
    public long id() {
        return id;
    }

    @Override
    public Object client() {
        return client;
    }

    /** Returns the entity whose shard decides the outcome. It is known after the first operation. */
    public synchronized ServedEntity via() {
        return home();
    }

    /** Returns the reason why the shard has ended the transaction, or null. */
    public @Nullable Rejection lost() {
        return lost;
    }

    /** Marks the transaction as ended by the shard. */
    public void lose(Rejection reason) {
        lost = reason;
    }

    /**
     * Adds evaluation steps of topic rules; returns a refusal if there are too many, or null. For the shard's thread.
     */
    public @Nullable Rejection spend(long more) {
        steps += more;
        return steps <= TopicDecider.STEPS_MAX ? null : TopicDecider.tooManySteps();
    }

    /** Returns the refusal of an operation that did not reach the shard, or null. */
    public synchronized @Nullable Rejection failed() {
        return failed;
    }

    @Override
    public synchronized boolean isEnded() {
        return ended || lost != null;
    }

    @Override
    public synchronized void submit(Work work, Executor executor, ReplyListener listener) {
        if (!(work.entity() instanceof ServedEntity entity)) {
            throw new IllegalArgumentException("Expected an entity of this broker.");
        }
        if (ended) {
            executor.execute(() -> listener.onRejected(Rejection.of(ErrorCode.TRANSACTION_UNKNOWN)));
            return;
        }
        Rejection refusal = entity.refuse(work.command());
        if (refusal == null) {
            refusal = outOfScope(work, entity);
        }
        if (refusal == null && isOutside(work.command())) {
            entity.submit(work.command(), executor, new Outside(listener));
            return;
        }
        ServedEntity target = entity;
        if (refusal == null) {
            SendTarget route = route(work.command(), entity);
            target = route.entity() instanceof ServedEntity found ? found : entity;
            refusal = route.refusal() != null ? route.refusal() : unreachable(work, target);
        }
        if (refusal == null) {
            refusal = namespace.throttle().refuse(work.command());
        }
        if (refusal == null) {
            Shard shard = home().shard();
            Partitions fragments = entity.fragments();
            Work routed = fragments == null
                    ? work
                    : new Work(
                            target,
                            fragments.translate(work.command()),
                            work.via(),
                            work.schedule(),
                            work.acrossEntities());
            ShardTask task = new TransactionTask(shard.transactions(), this, routed, target, executor, listener);
            if (!work.command().kind().needsCapacity()) {
                shard.mailbox().put(task);
                return;
            } else if (shard.mailbox().offer(task)) {
                return;
            }
            refusal = new Rejection(
                    ErrorCode.SERVER_BUSY,
                    "Too many messages wait to be stored. Error code : 50002. Please wait 10 seconds and try again.");
        }
        spoil(refusal);
        Rejection told = refusal;
        executor.execute(() -> listener.onRejected(told));
    }

    /** Returns whether a command has its normal effect, which may concern all fragments (TX-2). */
    private static boolean isOutside(Command command) {
        return command instanceof Command.PeekMessages || command instanceof Command.ListSessions;
    }

    @Override
    public synchronized void spoil(Rejection reason) {
        if (failed == null) {
            failed = reason;
        }
    }

    private ServedEntity home() {
        if (place == null) {
            throw new IllegalStateException("Expected an earlier operation that determines the entity.");
        }
        return place;
    }

    /** Finds the fragment for an operation, and binds the transaction to it (PART-43 to PART-51, TX-7, TX-19). */
    private SendTarget route(Command command, ServedEntity entity) {
        ServedEntity first = via;
        if (first == null) {
            throw new IllegalStateException("Expected an earlier operation that determines the entity.");
        }
        Partitions bound = first.fragments();
        boolean own = topLevel(entity) == first;
        if (bound != null) {
            TransactionScope.Judgement judged = judge(bound, own, command, entity);
            if (judged.refusal() != null) {
                giveUpElsewhere(command, entity, judged.scope().fragment());
                return SendTarget.none(judged.refusal());
            }
            scope = judged.scope();
            place = bound.part(Math.max(0, scope.fragment()));
        } else {
            place = first;
        }
        Partitions fragments = entity.fragments();
        if (fragments == null) {
            return SendTarget.of(entity);
        }
        return own || !(command instanceof Command.SendMessages send)
                ? SendTarget.of(fragments.part(Math.max(0, scope.fragment())))
                : fragments.destination(send.messages());
    }

    /**
     * Gives up the locks of messages in other fragments, whose settlement is refused (TX-19). It counts as an abandonment outside the
     * transaction, so that the messages are available at once, also if the transaction has not ended.
     */
    private static void giveUpElsewhere(Command command, ServedEntity entity, int fragment) {
        Partitions fragments = entity.fragments();
        if (fragments == null || !(command instanceof Command.Settlement settlement)) {
            return;
        }
        for (UUID token : settlement.lockTokens()) {
            if (FragmentTokens.fragment(token) != fragment) {
                fragments.submit(
                        new Command.AbandonMessages(List.of(token), Map.of()), Runnable::run, ReplyListener.IGNORE);
            }
        }
    }

    private TransactionScope.Judgement judge(Partitions bound, boolean own, Command command, ServedEntity entity) {
        KeyRules rules = bound.keyRulesInTransactions();
        if (command instanceof Command.SendMessages send && own) {
            return scope.send(send.messages(), rules);
        } else if (command instanceof Command.SendMessages send) {
            TransactionScope.Judgement judged = new TransactionScope.Judgement(scope, null);
            for (IncomingMessage message : send.messages()) {
                if (judged.refusal() == null) {
                    judged = judged.scope().sendVia(StoredMessages.viaPartitionKey(message.content()), rules);
                }
            }
            return judged;
        }
        if (command.kind().routing() == Routing.REFUSED) { // PURGE-2
            Rejection refusal =
                    new Rejection(ErrorCode.INVALID_OPERATION, "A batch delete cannot be part of a transaction.");
            return new TransactionScope.Judgement(scope, refusal);
        }
        Partitions named =
                entity.fragments(); // those of a subscription know who holds its sessions, unlike the topic's
        Set<Integer> places = (named == null ? bound : named).fragmentsOf(command);
        TransactionScope.Judgement judged = new TransactionScope.Judgement(scope, null);
        for (int fragment : places) {
            if (judged.refusal() == null && fragment < bound.count()) {
                judged = judged.scope().use(fragment);
            }
        }
        return judged;
    }

    /**
     * Returns a refusal of an operation that is impossible because its entity is in another shard than the
     * transaction, or null.
     */
    private @Nullable Rejection unreachable(Work work, ServedEntity target) {
        if (target.shard() != home().shard() && work.schedule()) {
            return new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "'" + home().path() + "' and '" + target.path()
                            + "' are in different stores, so the sequence numbers of scheduled messages are unknown"
                            + " before the commit. Send the messages with a scheduled enqueue time instead.");
        }
        if (target.shard() != home().shard() && !target.description().status().allowsSend()) {
            return new Rejection(
                    ErrorCode.ENTITY_DISABLED,
                    "Messaging entity '" + target.path() + "' is currently disabled for sending.");
        }
        return null;
    }

    /** Sets the transaction's entity, or checks whether the operation may use another one (TX-3 to TX-6). */
    private @Nullable Rejection outOfScope(Work work, ServedEntity entity) {
        ServedEntity home = topLevel(work.via());
        ServedEntity target = topLevel(entity);
        if (via == null) {
            via = home;
        }
        if (target == via) {
            return null;
        }
        if (home != via && !work.acrossEntities()) {
            return new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "The transaction attempted to span multiple top-level entities: it began with '" + via.path()
                            + "', but the operation uses '" + target.path()
                            + "'. Enable cross-entity transactions in the client, or send via the first entity.");
        }
        if (!(work.command() instanceof Command.SendMessages)) {
            return new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "The transaction began with '" + via.path() + "', so it can only send messages to '" + target.path()
                            + "'. Settle or cancel messages there outside this transaction.");
        }
        return null;
    }

    private static ServedEntity topLevel(Entity entity) {
        if (!(entity instanceof ServedEntity served)) {
            throw new IllegalArgumentException("Expected an entity of this broker.");
        }
        return served instanceof ServedSubscription subscription ? subscription.topic() : served;
    }

    @Override
    public synchronized void commit(Executor executor, ReplyListener listener) {
        end(true, executor, listener);
    }

    @Override
    public synchronized void rollback(Executor executor, ReplyListener listener) {
        end(false, executor, listener);
    }

    private void end(boolean commit, Executor executor, ReplyListener listener) {
        if (ended) {
            executor.execute(() -> listener.onRejected(Rejection.of(ErrorCode.TRANSACTION_UNKNOWN)));
            return;
        }
        ended = true;
        ServedEntity home = place;
        if (home != null) {
            home.shard().mailbox().put(new OutcomeTask(home.shard().transactions(), this, commit, executor, listener));
        } else if (commit && failed != null) {
            Rejection rolledBack = new Rejection(
                    ErrorCode.TRANSACTION_ROLLBACK,
                    "The transaction was rolled back because an operation was refused: " + failed.description());
            executor.execute(() -> listener.onRejected(rolledBack));
        } else {
            executor.execute(() -> listener.onReply(Reply.Done.INSTANCE));
        }
    }

    /** The listener of a peek or a list of sessions. It is not part of the transaction, but its refusal is the end of it (TX-2, TX-16). */
    private final class Outside implements ReplyListener {
        private final ReplyListener listener;

        Outside(ReplyListener listener) {
            this.listener = listener;
        }

        @Override
        public void onReply(Reply reply) {
            listener.onReply(reply);
        }

        @Override
        public void onRejected(Rejection rejection) {
            spoil(rejection);
            listener.onRejected(rejection);
        }

        @Override
        public boolean isAbandoned() {
            return listener.isAbandoned();
        }

        @Override
        public @Nullable Object client() {
            return listener.client();
        }
    }

    /** An operation queued for the shard. */
    private record TransactionTask(
            Transactions transactions,
            ServedTransaction transaction,
            Work work,
            ServedEntity entity,
            Executor executor,
            ReplyListener listener)
            implements ShardTask {

        @Override
        public boolean needsCapacity() {
            return work.command().kind().needsCapacity();
        }

        @Override
        public long messageBytes() {
            return EntityTasks.bytesOf(work.command());
        }

        @Override
        public Object lane() {
            return transaction;
        }

        @Override
        public void run() {
            transactions.execute(transaction, entity, work, executor, listener);
        }

        @Override
        public void refuse(Rejection reason) {
            transaction.spoil(reason);
            executor.execute(() -> listener.onRejected(reason));
        }
    }

    /** A commit or rollback queued for the shard. */
    private record OutcomeTask(
            Transactions transactions,
            ServedTransaction transaction,
            boolean commit,
            Executor executor,
            ReplyListener listener)
            implements ShardTask {

        @Override
        public boolean needsCapacity() {
            return commit;
        }

        @Override
        public Object lane() {
            return transaction;
        }

        @Override
        public void run() {
            if (commit) {
                transactions.commit(transaction, executor, listener);
            } else {
                transactions.rollback(transaction, executor, listener);
            }
        }

        @Override
        public void refuse(Rejection reason) {
            // The shard has lost all operations of the transaction from memory, so the transaction has not been
            // committed.
            Rejection told = commit
                    ? new Rejection(
                            ErrorCode.TRANSACTION_ROLLBACK, "The transaction was rolled back: " + reason.description())
                    : reason;
            executor.execute(() -> listener.onRejected(told));
        }
    }
}
