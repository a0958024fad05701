package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.model.Rejection;
import java.util.concurrent.Executor;

/**
 * One transaction, from its beginning to its outcome (semantics chapter 16). Each operation is validated and answered
 * immediately. On commit, messages become visible and settlements take effect, all of them as one unit that a crash
 * does not split (TX-12). If one operation is refused, the commit is refused too (TX-16).
 *
 * <p>A transaction ends by {@link #commit}, by {@link #rollback}, or two minutes after its first operation (TX-9). It
 * exists only in memory: a restart rolls it back. Any thread may call it; calls take effect in their order.
 */
public abstract class Transaction {

    /** For subclasses that serve transactions. */
    protected Transaction() {}

    /**
     * One operation.
     *
     * @param entity         the entity that the command is for
     * @param command        a send, a cancellation or a settlement; receiving, renewing and peeking work as outside a
     *                       transaction
     * @param via            the entity that the transaction belongs to: {@code entity} itself, or the entity through
     *                       which a message is sent (TX-4)
     * @param schedule       whether the sender requests the sequence numbers of the scheduled messages; a rollback
     *                       then leaves a gap
     * @param acrossEntities whether the operation may use another entity than the first operation (TX-3, TX-5)
     */
    public record Work(Entity entity, Command command, Entity via, boolean schedule, boolean acrossEntities) {

        /** Returns an operation on the one entity of its transaction. */
        public static Work on(Entity entity, Command command) {
            return new Work(entity, command, entity, false, false);
        }

        /** Returns the same operation, sent via another entity. */
        public Work via(Entity entityOfTheTransaction) {
            return new Work(entity, command, entityOfTheTransaction, schedule, acrossEntities);
        }

        /** Returns a copy that does or does not request the sequence numbers of scheduled messages. */
        public Work schedule(boolean asksForNumbers) {
            return new Work(entity, command, via, asksForNumbers, acrossEntities);
        }

        /** Returns a copy that may or may not use another entity than the first operation. */
        public Work across(boolean entities) {
            return new Work(entity, command, via, schedule, entities);
        }
    }

    /**
     * Adds an operation to the transaction. Rejected with {@link dev.jitney.model.ErrorCode#TRANSACTION_UNKNOWN}
     * after the transaction has ended, and with {@link dev.jitney.model.ErrorCode#TRANSACTION_TIMEOUT} when it took
     * too long.
     *
     * @param executor calls the listener; calls on one executor keep their order
     */
    public abstract void submit(Work work, Executor executor, ReplyListener listener);

    /**
     * Commits the transaction. Rejected with {@link dev.jitney.model.ErrorCode#TRANSACTION_ROLLBACK} or
     * {@link dev.jitney.model.ErrorCode#TRANSACTION_TIMEOUT} if no operation took effect. After any other rejection
     * the outcome is unknown (TX-12).
     */
    public abstract void commit(Executor executor, ReplyListener listener);

    /** Rolls the transaction back. This always succeeds while the broker works. */
    public abstract void rollback(Executor executor, ReplyListener listener);

    /**
     * Marks the transaction as failed because an operation was refused before it arrived here. It can no longer
     * commit (TX-16).
     */
    public abstract void spoil(Rejection reason);

    /** Returns whether the transaction has ended: a commit or rollback was requested, or it has timed out. */
    public abstract boolean isEnded();
}
