package dev.jitney.core.partition;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The scope of a transaction on a partitioned entity: one fragment from its first operation on, and one key from its
 * first message on (PART-43 to PART-51, TX-7, TX-19). On other entities a transaction has no such limits, and this class
 * is not used (PART-52, TX-18).
 *
 * <p>Every refusal here makes the transaction rollback-only (PART-46, TX-16).
 *
 * @param fragment -1 until an operation determines it
 * @param key null until a message is sent
 */
public record TransactionScope(int fragment, @Nullable String key) {
    /** The scope of a transaction without operations. */
    public static final TransactionScope OPEN = new TransactionScope(-1, null);

    /**
     * The effect of an operation on the scope.
     *
     * @param scope the scope after the operation, unchanged if it is refused
     * @param refusal the reason for the refusal, or null
     */
    public record Judgement(
            TransactionScope scope, @Nullable Rejection refusal) {}

    /** Checks messages that are sent together to the entity itself. */
    public Judgement send(List<IncomingMessage> messages, KeyRules rules) {
        for (IncomingMessage message : messages) {
            if (rules.requiresSession() && message.sessionId() == null && !message.ping()) { // PART-49
                return refused(
                        "Expected a SessionId on every message that is sent in a transaction to a partitioned entity"
                                + " with"
                                + " sessions, but a message has none.");
            }
        }
        KeyRules.Key sent = rules.keyOf(messages);
        if (sent.refusal() != null) {
            return new Judgement(this, sent.refusal());
        }
        String theirs = sent.key();
        if (theirs == null) {
            return messages.stream().allMatch(IncomingMessage::ping)
                    ? new Judgement(this, null)
                    : refused("Expected a SessionId or PartitionKey on every message that is sent in a transaction to"
                            + " a partitioned"
                            + " entity, but a message has none."
                            + " The MessageId is a key only if the entity detects duplicates."); // PART-44,
            // PART-46
        }
        if (key != null && !key.equals(theirs)) { // PART-45, PART-51
            return refused(
                    "Expected all messages of a transaction on a partitioned entity to have the same SessionId or"
                            + " PartitionKey, but they differ.");
        }
        int theirFragment = KeyHash.fragment(theirs, rules.fragments());
        return fragment >= 0 && fragment != theirFragment
                ? elsewhere(theirFragment)
                : new Judgement(new TransactionScope(theirFragment, theirs), null);
    }

    /** Checks a settlement or another operation on one fragment of the entity (TX-19). */
    public Judgement use(int otherFragment) {
        return fragment >= 0 && fragment != otherFragment
                ? elsewhere(otherFragment)
                : new Judgement(new TransactionScope(otherFragment, key), null);
    }

    /**
     * Checks a message that is sent to another entity via this one (TX-7). Its own key still chooses the fragment at the
     * destination.
     *
     * @param viaPartitionKey annotation {@code x-opt-via-partition-key}, or null
     */
    public Judgement sendVia(@Nullable String viaPartitionKey, KeyRules rules) {
        if (viaPartitionKey == null) {
            return refused("Expected a ViaPartitionKey on every message that is sent via a partitioned entity, but a"
                    + " message has"
                    + " none.");
        }
        if (viaPartitionKey.length() > rules.lengthMax()) {
            return new Judgement(
                    this,
                    new Rejection(
                            ErrorCode.ARGUMENT,
                            "Expected a ViaPartitionKey of at most " + rules.lengthMax() + " characters, but got "
                                    + viaPartitionKey.length() + "."));
        }
        return use(KeyHash.fragment(viaPartitionKey, rules.fragments()));
    }

    private Judgement elsewhere(int otherFragment) {
        return refused(
                "Expected all operations of a transaction on a partitioned entity to use one partition. It began in"
                        + " partition " + fragment + ", but the operation belongs to partition " + otherFragment + ".");
    }

    private Judgement refused(String sentence) {
        return new Judgement(this, new Rejection(ErrorCode.INVALID_OPERATION, sentence));
    }
}
