package dev.jitney.core.transaction;

import dev.jitney.core.Command;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An open transaction as decisions see it. Nothing here changes it; lists and maps are not to be changed. */
public interface TransactionView {
    /** TX-8. */
    int MESSAGES_MAX = 100;

    /** Settlements and cancels, which nothing else bounds; far more than messages can be sent. */
    int OTHER_OPERATIONS_MAX = 10_000;

    /** Its number, above 0. */
    long id();

    /** The queue or topic of its first operation; what goes elsewhere goes through its outbox. */
    long viaEntityId();

    /** How many messages it is to send. */
    int messageCount();

    /** How many settlements, cancels and changes of session states it is to carry out. */
    int otherOperations();

    /** Why it can only be rolled back, or null if it can be committed. */
    @Nullable
    Rejection spoiled();

    /** What it wants of an entity, null if nothing. */
    @Nullable
    Share share(long entityId);

    /** What it wants of each entity, by number, in the order in which it came to them. */
    Map<Long, ? extends Share> shares();

    /** What a transaction wants of one entity. */
    interface Share {

        List<IncomingMessage> messages();

        /** For each message the number reserved for it, or 0. */
        List<Long> reservedNumbers();

        /** Numbers of scheduled messages to be cancelled. */
        List<Long> cancelled();

        List<Command.Settlement> settlements();

        /** In order; of one session the last one counts. */
        List<Command.SetSessionState> states();

        /** Whether it does nothing but send; then what the entity refuses is left to the outbox. */
        boolean onlySends();
    }
}
