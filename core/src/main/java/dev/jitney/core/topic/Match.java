package dev.jitney.core.topic;

import dev.jitney.core.MessageChange;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.IncomingMessage;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the rules of one subscription say about one message; a subscription that wants nothing of it has no match.
 *
 * @param plain whether a rule without an action matches: one copy as it is (RULE-4)
 * @param changed one copy for each matching rule with an action (RULE-5)
 * @param failure why rules could not be evaluated, or null (FILTER-24)
 */
public record Match(
        Subscriber subscriber,
        boolean plain,
        List<ChangedCopy> changed,
        @Nullable Failure failure) {

    /**
     * A copy as an action leaves it.
     *
     * @param message the message with what the action set of its system properties
     * @param propertyOverrides application properties the action set, {@code RuleName} among them
     */
    public record ChangedCopy(IncomingMessage message, Map<String, EncodedValue> propertyOverrides) {

        /** Bytes that the copy does not share with the message it was made of. */
        public long ownBytes(IncomingMessage of) {
            long bytes =
                    message.content() == of.content() ? 0 : message.content().sizeBytes();
            return bytes + MessageChange.sizeOf(propertyOverrides);
        }
    }

    /** Whether the message as it was sent goes to the dead-letter queue of the subscription (DLQ-25). */
    public boolean isDeadLettered() {
        return failure != null && subscriber.description().deadLetteringOnFilterEvaluationExceptions();
    }

    /** How many copies of the very message the subscription gets, that in its dead-letter queue too (T-26, DLQ-25). */
    public int copiesAsSent() {
        return (plain ? 1 : 0) + (isDeadLettered() ? 1 : 0);
    }

    /** How many copies these subscriptions get. */
    public static long copies(List<Match> matches) {
        long copies = 0;
        for (Match match : matches) {
            copies += match.changed.size() + match.copiesAsSent();
        }
        return copies;
    }

    /** Bytes that their copies do not share with the message they were made of. */
    public static long ownBytes(IncomingMessage message, List<Match> matches) {
        long bytes = 0;
        for (Match match : matches) {
            for (ChangedCopy copy : match.changed) {
                bytes += copy.ownBytes(message);
            }
        }
        return bytes;
    }

    /**
     * An evaluation that failed.
     *
     * @param reason name of the kind of failure, the copy's DeadLetterReason (DLQ-15)
     * @param description a sentence for people
     */
    public record Failure(String reason, String description) {}
}
