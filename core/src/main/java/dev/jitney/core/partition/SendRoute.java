package dev.jitney.core.partition;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The fragment for messages that are sent together (PART-10, PART-24).
 *
 * @param fragment -1 if the messages are refused
 * @param keyed whether a key has chosen the fragment; then no other fragment is used if it is unavailable (PART-28,
 *     PART-42)
 * @param refusal the reason for the refusal, or null
 */
public record SendRoute(
        int fragment, boolean keyed, @Nullable Rejection refusal) {

    private static final String PARTITION_NOT_OWNED = "PartitionNotOwned: ";

    /**
     * Chooses the fragment: that of the key if there is one, else the next available one in turn that has space, else the
     * next available one, which then refuses the messages because it is full (QUOTA-4).
     *
     * @param available tests whether a fragment is available
     * @param hasCapacity tests whether an available fragment has space
     */
    public static SendRoute of(
            List<IncomingMessage> messages,
            KeyRules rules,
            RoundRobin turn,
            IntPredicate available,
            IntPredicate hasCapacity) {
        KeyRules.Key key = rules.keyOf(messages);
        if (key.refusal() != null) {
            return new SendRoute(-1, false, key.refusal());
        }
        if (key.key() == null) {
            int withCapacity = turn.next(available.and(hasCapacity));
            int fragment = withCapacity >= 0 ? withCapacity : turn.next(available);
            return fragment >= 0 ? new SendRoute(fragment, false, null) : new SendRoute(-1, false, allDown());
        }
        int fragment = KeyHash.fragment(key.key(), rules.fragments());
        return available.test(fragment)
                ? new SendRoute(fragment, true, null)
                : new SendRoute(-1, true, unavailable(fragment));
    }

    /**
     * Returns the refusal of a message whose key belongs to an unavailable fragment (PART-28). The code is
     * {@link ErrorCode#SERVER_BUSY}, because no SDK retries {@link ErrorCode#PARTITION_NOT_OWNED}; the text names the
     * latter. Nothing was stored.
     */
    public static Rejection unavailable(int fragment) {
        return new Rejection(
                ErrorCode.SERVER_BUSY,
                PARTITION_NOT_OWNED + "Partition " + fragment
                        + " of the entity is temporarily unavailable, and the key of the message belongs"
                        + " to it. Try again later; messages without a key go to another partition.");
    }

    /** Returns the refusal of a request for which no fragment is available (PART-39). */
    public static Rejection allDown() {
        return new Rejection(
                ErrorCode.SERVER_BUSY,
                "No partition of the entity is available. Please wait 10 seconds and try again.");
    }
}
