package dev.jitney.core.topic;

import dev.jitney.core.SendExplanation.OfRule;
import dev.jitney.core.SendExplanation.Position;
import dev.jitney.model.IncomingMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The results of some of the rules of a topic for a message that is not sent.
 *
 * @param parts subscriptions, or parts of their rules, in order
 * @param next where to continue, or null after the last rule
 * @param sharedSteps as in {@link dev.jitney.core.SendExplanation}
 */
public record RuleTrial(List<Part> parts, @Nullable Position next, long sharedSteps) {

    /**
     * The results of a subscription, or of a part of its rules.
     *
     * @param rules the rules that match or fail, and some of the others
     * @param rulesNotShown the number of other rules that do not match
     * @param match the copies that these rules add
     * @param changedBy the names of the rules that changed the copies of the match, in their order
     * @param failed whether one of these or of the earlier rules of the subscription fails
     */
    public record Part(Match match, List<OfRule> rules, int rulesNotShown, List<String> changedBy, boolean failed) {

        /** Returns whether the subscription gets nothing, as in {@link Match#isDropped}. */
        public boolean isDropped() {
            return failed && !match.subscriber().description().deadLetteringOnFilterEvaluationExceptions();
        }
    }

    /** The evaluation of rules for an explanation. For the shard's thread. */
    @FunctionalInterface
    public interface Maker {
        /**
         * Evaluates some rules, subscription by subscription. A call takes at most about a million steps.
         *
         * @param topicNumber as in {@link SubscriptionMatcher#matches}
         * @param nowMs as in {@link SubscriptionMatcher#matches}
         * @param from where to begin
         * @param subscriptionsMax the maximum of parts, at least 1
         */
        RuleTrial tryRules(IncomingMessage message, long topicNumber, long nowMs, Position from, int subscriptionsMax);
    }
}
