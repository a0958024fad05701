package dev.jitney.core.topic.state;

import dev.jitney.core.filter.CompiledAction;
import dev.jitney.core.filter.Evaluation;
import dev.jitney.core.filter.EvaluationError;
import dev.jitney.core.filter.property.PropertyChange;
import dev.jitney.core.topic.FanOut;
import dev.jitney.core.topic.Match.ChangedCopy;
import dev.jitney.core.topic.Match.Failure;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Limits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The changed copies of one message. Each action starts from the original message and does not see the changes of others
 * (RULE-6).
 *
 * <p>The copies are limited: after the copies of a message have taken {@link FanOut#OWN_BYTES_MAX} bytes that they do not
 * share with it, further actions fail.
 */
final class CopyMaker {
    private final IncomingMessage message;
    private final Evaluation evaluation;
    private final Limits limits;
    private @Nullable SentProperties sent;
    private long ownBytes;

    CopyMaker(IncomingMessage message, Evaluation evaluation, Limits limits) {
        this.message = message;
        this.evaluation = evaluation;
        this.limits = limits;
    }

    /**
     * A copy or the failure to create it; exactly one of the two is set.
     *
     * @param changes the changes of the copy; empty after a failure
     */
    record Attempt(@Nullable ChangedCopy copy, @Nullable Failure failure, List<PropertyChange> changes) {
        private static Attempt failed(String description) {
            return failed(new Failure(EvaluationError.ACTION, description));
        }

        private static Attempt failed(Failure failure) {
            return new Attempt(null, failure, List.of());
        }
    }

    /** Creates the copy for a matching rule with an action. */
    Attempt make(TopicRule rule) {
        if (rule.brokenAction() != null) {
            return Attempt.failed(rule.brokenAction());
        }
        if (ownBytes > FanOut.OWN_BYTES_MAX) {
            return Attempt.failed("Expected the copies of one message to take at most " + FanOut.OWN_BYTES_MAX
                    + " bytes after all actions, but they take more.");
        }
        CompiledAction.Outcome outcome = rule.action().apply(evaluation);
        if (outcome.error() != null) {
            return Attempt.failed(
                    new Failure(outcome.error().reason(), outcome.error().description()));
        }
        if (sent == null) {
            sent = new SentProperties(message.content());
        }
        CopyChanges changes = new CopyChanges(message, sent, limits, rule.name());
        String problem = changes.apply(outcome.changes());
        if (problem != null) {
            return Attempt.failed(problem);
        }
        if (!evaluation.steps().take(changes.steps())) {
            return Attempt.failed(
                    "Expected the actions on one message to need fewer steps in total, but they need more."
                            + " Change fewer system properties, or remove fewer properties.");
        }
        ChangedCopy copy = changes.copy();
        ownBytes += copy.ownBytes(message);
        return new Attempt(copy, null, outcome.changes());
    }
}
