package dev.jitney.core;

import dev.jitney.model.MessageCounts;
import dev.jitney.model.MessageView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The successful answer to a {@link Command}. The caller receives it only after its records are durable. */
public sealed interface Reply {

    /** Success without data. */
    record Done() implements Reply {
        public static final Done INSTANCE = new Done();
    }

    /**
     * Sequence numbers of the stored messages in the order sent. A dropped ping has number 0. A dropped duplicate has the
     * number of the first message with its id, so that a repeated schedule names the same message.
     *
     * @param duplicates indexes of the messages that were dropped because their ids had been accepted before (T-3),
     *     ascending
     */
    record Sent(long[] sequenceNumbers, List<Integer> duplicates) implements Reply {

        /** Creates a reply without duplicates. */
        public Sent(long[] sequenceNumbers) {
            this(sequenceNumbers, List.of());
        }
    }

    /** Expiries in milliseconds since the epoch, in the order of the tokens. */
    record LocksRenewed(long[] lockedUntilMs) implements Reply {}

    /** Messages, possibly none. */
    record Messages(List<MessageView> messages) implements Reply {}

    /**
     * Some messages that a search has found, and the place to continue. A locked message has the end of its lock, and not its token.
     *
     * @param scanned the number of messages that the search has looked at
     * @param next the sequence number from which the search continues, or {@link #END}
     * @param failed the number of messages for which the filter failed; they are not in the answer
     * @param failure the reason for the last one of them, or null
     */
    record Found(
            List<MessageView> messages,
            int scanned,
            long next,
            int failed,
            @Nullable String failure) implements Reply {
        /** The value of {@code next} after the last message. */
        public static final long END = Long.MAX_VALUE;

        /** Returns the same answer with another place to continue. */
        public Found next(long sequenceNumber) {
            return new Found(messages, scanned, sequenceNumber, failed, failure);
        }
    }

    /** The effects that a send would have. */
    record Explained(SendExplanation explanation) implements Reply {}

    /** The message behind a lock. */
    record Locked(MessageView message) implements Reply {}

    /** The number of messages that a batch delete removed. */
    record Deleted(int count) implements Reply {}

    /**
     * A command has looked at as many messages as one decision may, and is not complete. No client gets this: the shard continues with the
     * rest in another turn.
     *
     * @param rest the command for the rest of the work
     */
    record Unfinished(Command rest) implements Reply {}

    /**
     * A session is locked for a receiver.
     *
     * @param lockedUntilMs milliseconds since the epoch
     */
    record SessionAccepted(String sessionId, long lockedUntilMs) implements Reply {}

    /** The state of a session, or null. Do not change the array. */
    record SessionState(byte @Nullable [] state) implements Reply {}

    /**
     * Ids of sessions in ascending order.
     *
     * @param skip the value of {@code skip} for the next page
     * @param more whether the list ended early, so that there may be sessions behind its last one
     */
    record Sessions(List<String> sessionIds, int skip, boolean more) implements Reply {

        /** Creates a list that ends with the last session, as far as is known. */
        public Sessions(List<String> sessionIds, int skip) {
            this(sessionIds, skip, false);
        }
    }

    /**
     * Some sessions for an operator, and the place to continue.
     *
     * @param scanned the number of sessions that the command has looked at
     * @param next the place where the list continues, or null after the last session
     * @param unavailable the number of fragments that were left out because their stores do not work
     */
    record SessionPage(
            List<SessionSummary> sessions,
            int scanned,
            @Nullable SessionPlace next,
            int unavailable) implements Reply {}

    /**
     * One session for an operator.
     *
     * @param session null if there is no such session
     * @param state null if it has none or if it was not requested; do not change the array
     */
    record SessionFound(@Nullable SessionSummary session, byte @Nullable [] state) implements Reply {}

    /** Counters of the entity. */
    record Counts(MessageCounts counts) implements Reply {}
}
