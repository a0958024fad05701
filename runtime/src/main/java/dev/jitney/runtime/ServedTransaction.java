package dev.jitney.runtime;

import dev.jitney.codec.StoredMessages;
import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.partition.KeyRules;
import dev.jitney.core.partition.TransactionScope;
import dev.jitney.core.topic.decide.TopicDecider;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A transaction as its caller holds it. The first operation fixes its entity, whose shard keeps everything the
 * transaction gathers and decides its outcome; all operations are letters to that shard and so keep their order.
 */
final class ServedTransaction extends Transaction {
    private static final AtomicLong IDS = new AtomicLong();

    private final long id = nextId();
    private final ServedNamespace namespace;

    /** The queue or topic of the first operation (TX-3, TX-6). */
    private @Nullable ServedEntity via;

    /** Where it is kept: that queue or topic, or the fragment of it that the transaction is bound to (PART-34). */
    private @Nullable ServedEntity place;

    private TransactionScope scope = TransactionScope.OPEN;

    private boolean ended;

    /** Why an operation did not even reach the shard; the first reason stays. */
    private @Nullable Rejection failed;

    /** Why the shard has ended it by itself. Written by the shard's thread. */
    private volatile @Nullable Rejection lost;

    /** What rules of topics have cost to judge its messages. For the shard's thread. */
    private long steps;

    ServedTransaction(ServedNamespace namespace) {
        this.namespace = namespace;
    }

    /** A number for a transaction or a {@link JointRequest}. */
    static long nextId() {
        return IDS.incrementAndGet();
    }

    /** Unique while the process runs. */
    long id() {
        return id;
    }

    /** Whose shard decides its outcome; known once it has an operation. */
    synchronized ServedEntity via() {
        return home();
    }

    /** Why the shard has ended it by itself, or null. */
    @Nullable
    Rejection lost() {
        return lost;
    }

    /** The shard ends it by itself. */
    void lose(Rejection reason) {
        lost = reason;
    }

    /** Rules have judged messages of it; returns why that was too much, or null. For the shard's thread. */
    @Nullable
    Rejection spend(long more) {
        steps += more;
        return steps <= TopicDecider.STEPS_MAX ? null : TopicDecider.tooManySteps();
    }

    /** Why an operation did not even reach the shard, or null. */
    synchronized @Nullable Rejection failed() {
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
        ServedEntity target = entity;
        if (refusal == null) {
            FragmentSends.Route route = route(work.command(), entity);
            target = route.part() == null ? entity : route.part();
            refusal = route.refusal() != null ? route.refusal() : unreachable(work, target);
        }
        if (refusal == null) {
            refusal = namespace.throttle().refuse(work.command());
        }
        if (refusal == null) {
            Shard shard = home().shard();
            Fragments fragments = entity.fragments();
            Work routed = fragments == null
                    ? work
                    : new Work(
                            target,
                            fragments.receivers().translate(work.command()),
                            work.via(),
                            work.schedule(),
                            work.acrossEntities());
            Mailbox.Letter letter = new TransactionLetter(this, routed, target, executor, listener);
            if (!(work.command() instanceof Command.SendMessages)) {
                shard.mailbox().put(letter);
                return;
            } else if (shard.mailbox().offer(letter)) {
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

    @Override
    public synchronized void spoil(Rejection reason) {
        if (failed == null) {
            failed = reason;
        }
    }

    private ServedEntity home() {
        if (place == null) {
            throw new IllegalStateException("Expected an operation that fixes the entity.");
        }
        return place;
    }

    /** Finds the fragment an operation is about, and binds the transaction to it (PART-43 to PART-51, TX-7, TX-19). */
    private FragmentSends.Route route(Command command, ServedEntity entity) {
        ServedEntity first = via;
        if (first == null) {
            throw new IllegalStateException("Expected an operation that fixes the entity.");
        }
        Fragments bound = first.fragments();
        boolean own = topLevel(entity) == first;
        if (bound != null) {
            TransactionScope.Judgement judged = judge(bound, own, command, entity);
            if (judged.refusal() != null) {
                return new FragmentSends.Route(null, judged.refusal());
            }
            scope = judged.scope();
            place = bound.part(Math.max(0, scope.fragment()));
        } else {
            place = first;
        }
        Fragments fragments = entity.fragments();
        if (fragments == null) {
            return new FragmentSends.Route(entity, null);
        }
        return own || !(command instanceof Command.SendMessages send)
                ? new FragmentSends.Route(fragments.part(Math.max(0, scope.fragment())), null)
                : fragments.sends().destination(send.messages());
    }

    private TransactionScope.Judgement judge(Fragments bound, boolean own, Command command, ServedEntity entity) {
        KeyRules rules = bound.sends().keyRulesInTransactions();
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
        Set<Integer> places = FragmentCommands.places(command, bound.count()).keySet();
        TransactionScope.Judgement judged = new TransactionScope.Judgement(scope, null);
        for (int fragment : places) {
            if (judged.refusal() == null && fragment < bound.count()) {
                judged = judged.scope().use(fragment);
            }
        }
        return judged;
    }

    /** What the shards of an operation and of the transaction make impossible. */
    private @Nullable Rejection unreachable(Work work, ServedEntity target) {
        if (target.shard() != home().shard() && work.schedule()) {
            return new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "'" + home().path() + "' and '" + target.path()
                            + "' are kept in different stores, so that the sequence"
                            + " numbers of messages to be scheduled are not known before the commit. Send the messages"
                            + " with a scheduled enqueue time instead.");
        }
        if (target.shard() != home().shard() && !target.description().status().allowsSend()) {
            return new Rejection(
                    ErrorCode.ENTITY_DISABLED,
                    "Messaging entity '" + target.path() + "' is currently disabled for sending.");
        }
        return null;
    }

    /** Fixes the entity, or looks whether the operation may be about another one (TX-3 to TX-6). */
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
                            + "', but the operation is about '" + target.path()
                            + "'. Enable cross-entity transactions in the client, or send via the first entity.");
        }
        if (!(work.command() instanceof Command.SendMessages)) {
            return new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "The transaction began with '" + via.path() + "', so that messages of '" + target.path()
                            + "' cannot be settled or cancelled in it; messages can be sent to it.");
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
            home.shard().mailbox().put(new OutcomeLetter(this, commit, executor, listener));
        } else if (commit && failed != null) {
            Rejection rolledBack = new Rejection(
                    ErrorCode.TRANSACTION_ROLLBACK,
                    "The transaction was rolled back, because an operation was refused: " + failed.description());
            executor.execute(() -> listener.onRejected(rolledBack));
        } else {
            executor.execute(() -> listener.onReply(Reply.Done.INSTANCE));
        }
    }

    /** One operation on its way to the shard. */
    private record TransactionLetter(
            ServedTransaction transaction, Work work, ServedEntity entity, Executor executor, ReplyListener listener)
            implements Mailbox.Letter {

        @Override
        public boolean grows() {
            return work.command() instanceof Command.SendMessages;
        }

        @Override
        public long messageBytes() {
            return Letters.bytesOf(work.command());
        }

        @Override
        public Object lane(ShardWork shard) {
            return transaction;
        }

        @Override
        public void open(ShardWork shard) {
            shard.transactions().execute(transaction, entity, work, executor, listener);
        }

        @Override
        public void refuse(Rejection reason) {
            transaction.spoil(reason);
            executor.execute(() -> listener.onRejected(reason));
        }
    }

    /** The end of the transaction on its way to the shard. */
    private record OutcomeLetter(
            ServedTransaction transaction, boolean commit, Executor executor, ReplyListener listener)
            implements Mailbox.Letter {

        @Override
        public boolean grows() {
            return commit;
        }

        @Override
        public Object lane(ShardWork shard) {
            return transaction;
        }

        @Override
        public void open(ShardWork shard) {
            if (commit) {
                shard.transactions().commit(transaction, executor, listener);
            } else {
                shard.transactions().rollback(transaction, executor, listener);
            }
        }

        @Override
        public void refuse(Rejection reason) {
            // Memory is gone with everything the transaction had gathered: it has not been committed.
            Rejection told = commit
                    ? new Rejection(
                            ErrorCode.TRANSACTION_ROLLBACK, "The transaction was rolled back: " + reason.description())
                    : reason;
            executor.execute(() -> listener.onRejected(told));
        }
    }
}
