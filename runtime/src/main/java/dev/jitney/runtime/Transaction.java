package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.model.Rejection;
import java.util.concurrent.Executor;

/**
 * One transaction, from its beginning to its outcome (semantics chapter 16). Operations are judged and answered when they
 * are made; messages are seen by others, and settlements are carried out, when the transaction is committed, all of them
 * as one unit that a crash does not split (TX-12). If one operation is refused, the commit is refused too (TX-16).
 *
 * <p>It ends by {@link #commit}, by {@link #rollback}, or two minutes after its first operation (TX-9). It lives in memory:
 * a restart rolls it back. Any thread may call it; calls take effect in their order.
 */
public abstract class Transaction {

    /** For those who serve transactions. */
    protected Transaction() {}

    /**
     * One operation.
     *
     * @param entity what it is done with
     * @param command a send, a cancel or a settlement; receiving, renewing and looking happen as they do outside
     * @param via whose transaction it belongs to: the entity itself, or the one a message is sent via (TX-4)
     * @param schedule whether the sender wants to know the sequence numbers of the messages it sends, which are to be
     *     scheduled; a rollback then leaves a gap
     * @param acrossEntities whether it may be about another entity than the first operation (TX-3, TX-5)
     */
    public record Work(Entity entity, Command command, Entity via, boolean schedule, boolean acrossEntities) {

        /** An operation on the one entity of its transaction. */
        public static Work on(Entity entity, Command command) {
            return new Work(entity, command, entity, false, false);
        }

        /** The same operation, sent via another entity. */
        public Work via(Entity entityOfTheTransaction) {
            return new Work(entity, command, entityOfTheTransaction, schedule, acrossEntities);
        }

        /** The same operation, which is to answer with the numbers of scheduled messages or not. */
        public Work schedule(boolean asksForNumbers) {
            return new Work(entity, command, via, asksForNumbers, acrossEntities);
        }

        /** The same operation, where the first one may have been about another entity or not. */
        public Work across(boolean entities) {
            return new Work(entity, command, via, schedule, entities);
        }
    }

    /**
     * Does an operation in the transaction. Rejected with {@link dev.jitney.model.ErrorCode#TRANSACTION_UNKNOWN} after its
     * end, {@link dev.jitney.model.ErrorCode#TRANSACTION_TIMEOUT} when it took too long.
     *
     * @param executor where the listener is called; calls for one executor keep their order
     */
    public abstract void submit(Work work, Executor executor, ReplyListener listener);

    /**
     * Makes everything it has done take effect. Rejected with {@link dev.jitney.model.ErrorCode#TRANSACTION_ROLLBACK} or
     * {@link dev.jitney.model.ErrorCode#TRANSACTION_TIMEOUT} if nothing of it did; after any other rejection the outcome
     * is unknown (TX-12).
     */
    public abstract void commit(Executor executor, ReplyListener listener);

    /** Takes back everything it has done; always succeeds while the broker works. */
    public abstract void rollback(Executor executor, ReplyListener listener);

    /** An operation was refused before it came here, so that nothing can be committed any more (TX-16). */
    public abstract void spoil(Rejection reason);

    /** Whether nothing more can come of it: its outcome was asked for, or it has timed out. */
    public abstract boolean isEnded();
}
