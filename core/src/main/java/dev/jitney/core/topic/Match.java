package dev.jitney.core.topic;

import dev.jitney.core.MessageChange;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.IncomingMessage;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of the rules of one subscription for one message. There is no match for a subscription that gets neither a
 * copy nor a failure.
 *
 * @param plain whether a rule without an action matches, which results in one unchanged copy (RULE-4)
 * @param changed one copy for each matching rule with an action (RULE-5)
 * @param failure the reason why the evaluation of rules failed, or null (FILTER-24)
 */
public record Match(
        Subscriber subscriber,
        boolean plain,
        List<ChangedCopy> changed,
        @Nullable Failure failure) {

    /**
     * A copy that an action has changed.
     *
     * @param message the message with the system properties that the action set
     * @param propertyOverrides application properties that the action set, including {@code RuleName}
     */
    public record ChangedCopy(IncomingMessage message, Map<String, EncodedValue> propertyOverrides) {

        /** Returns the bytes that the copy does not share with the original message. */
        public long ownBytes(IncomingMessage of) {
            long bytes =
                    message.content() == of.content() ? 0 : message.content().sizeBytes();
            return bytes + MessageChange.sizeOf(propertyOverrides);
        }
    }

    /**
     * Returns whether the subscription gets nothing, not even the copies of other rules: the evaluation of a rule failed, and the
     * subscription keeps no dead letters of such failures (DLQ-25).
     */
    public boolean isDropped() {
        return failure != null && !subscriber.description().deadLetteringOnFilterEvaluationExceptions();
    }

    /** Returns whether the original message goes to the dead-letter queue of the subscription (DLQ-25). */
    public boolean isDeadLettered() {
        return failure != null && subscriber.description().deadLetteringOnFilterEvaluationExceptions();
    }

    /**
     * Returns the number of unchanged copies for the subscription, including one in its dead-letter queue (T-26, DLQ-25).
     */
    public int copiesAsSent() {
        return isDropped() ? 0 : (plain ? 1 : 0) + (isDeadLettered() ? 1 : 0);
    }

    /** Returns the copies for the subscription that actions have changed. */
    public List<ChangedCopy> changedCopies() {
        return isDropped() ? List.of() : changed;
    }

    /** Returns the number of copies for these subscriptions. */
    public static long copies(List<Match> matches) {
        long copies = 0;
        for (Match match : matches) {
            copies += match.changedCopies().size() + match.copiesAsSent();
        }
        return copies;
    }

    /** Returns the bytes that their copies do not share with the original message. */
    public static long ownBytes(IncomingMessage message, List<Match> matches) {
        long bytes = 0;
        for (Match match : matches) {
            for (ChangedCopy copy : match.changedCopies()) {
                bytes += copy.ownBytes(message);
            }
        }
        return bytes;
    }

    /**
     * A failed evaluation.
     *
     * @param reason name of the kind of failure, the DeadLetterReason of the copy (DLQ-15)
     * @param description a sentence for users
     */
    public record Failure(String reason, String description) {}
}
