package dev.jitney.core.topic.state;

import dev.jitney.core.filter.CompiledAction;
import dev.jitney.core.filter.Evaluation;
import dev.jitney.core.filter.EvaluationError;
import dev.jitney.core.topic.FanOut;
import dev.jitney.core.topic.Match.ChangedCopy;
import dev.jitney.core.topic.Match.Failure;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Limits;
import org.jspecify.annotations.Nullable;

/**
 * Makes the copies of one message that actions change. What one action does, no other sees (RULE-6).
 *
 * <p>Copies are bounded: once those of a message have taken {@link FanOut#OWN_BYTES_MAX} bytes that they do not
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

    /** A copy, or why there is none: exactly one of the two. */
    record Attempt(@Nullable ChangedCopy copy, @Nullable Failure failure) {
        private static Attempt failed(String description) {
            return new Attempt(null, new Failure(EvaluationError.ACTION, description));
        }
    }

    /** The copy of a rule with an action that matches. */
    Attempt make(TopicRule rule) {
        if (rule.brokenAction() != null) {
            return new Attempt(null, rule.brokenAction());
        }
        if (ownBytes > FanOut.OWN_BYTES_MAX) {
            return Attempt.failed("Expected copies of one message that take at most " + FanOut.OWN_BYTES_MAX
                    + " bytes of their own after all actions, but they take more.");
        }
        CompiledAction.Outcome outcome = rule.action().apply(evaluation);
        if (outcome.error() != null) {
            return new Attempt(
                    null, new Failure(outcome.error().reason(), outcome.error().description()));
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
                    "Expected actions that change one message in fewer steps altogether, but they need more."
                            + " Change fewer system properties, or remove fewer properties.");
        }
        ChangedCopy copy = changes.copy();
        ownBytes += copy.ownBytes(message);
        return new Attempt(copy, null);
    }
}
