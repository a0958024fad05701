package dev.jitney.core.transaction;

import dev.jitney.core.Command;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An open transaction in the view of decisions. No method changes it, and callers must not change the returned lists and
 * maps.
 */
public interface TransactionView {
    /** The maximum number of messages (TX-8). */
    int MESSAGES_MAX = 100;

    /**
     * The maximum number of settlements and cancellations, which have no other limit; far more than the messages that can
     * be sent.
     */
    int OTHER_OPERATIONS_MAX = 10_000;

    /** Returns its number, above 0. */
    long id();

    /** Returns the queue or topic of its first operation; messages to other entities go through its outbox. */
    long viaEntityId();

    /** Returns the number of messages to send. */
    int messageCount();

    /** Returns the number of settlements, cancellations and changes of session states to execute. */
    int otherOperations();

    /** Returns the reason why it can only be rolled back, or null if it can be committed. */
    @Nullable
    Rejection spoiled();

    /** Returns its operations on an entity, or null if there are none. */
    @Nullable
    Share share(long entityId);

    /** Returns its operations by entity number, in the order in which it first used the entities. */
    Map<Long, ? extends Share> shares();

    /** The operations of a transaction on one entity. */
    interface Share {

        List<IncomingMessage> messages();

        /** Returns for each message the number reserved for it, or 0. */
        List<Long> reservedNumbers();

        /** Returns the numbers of scheduled messages to cancel. */
        List<Long> cancelled();

        /** Returns whether a scheduled message is among those to cancel. */
        boolean cancels(long sequenceNumber);

        List<Command.Settlement> settlements();

        /** Returns the changes of session states in order; the last one of each session counts. */
        List<Command.SetSessionState> states();

        /** Returns whether it only sends messages; then the outbox handles a refusal by the entity. */
        boolean onlySends();
    }
}
