package dev.jitney.core;

import dev.jitney.core.filter.StepBudget;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import dev.jitney.model.rule.RuleDescription;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The effects that a send of one message would have now. Nothing is stored. For a topic with many rules it covers some of them, and says
 * where to continue.
 *
 * @param fragment the fragment that would get the message; not used for entities without partitions
 * @param refusal the reason why the send would be refused, or null
 * @param duplicateOf the number of the accepted message with the same id, in which case the message would be dropped (T-3); otherwise 0
 * @param scheduledUntilMs the time until which the message would wait, milliseconds since the epoch; 0 if it would not. The rules
 *     are evaluated as of that time.
 * @param copies the message as a queue would keep it; empty for a topic
 * @param subscriptions the subscriptions of a topic that this answer covers, ordered by name; empty for a queue
 * @param next where to continue, or null if this answer covers the last subscription
 * @param sharedSteps the steps that rules have taken beyond their own ones. A send has {@link #SHARED_STEPS_MAX} of them for all rules
 *     of a topic together.
 */
public record SendExplanation(
        int fragment,
        @Nullable Rejection refusal,
        long duplicateOf,
        long scheduledUntilMs,
        List<Copy> copies,
        List<OfSubscription> subscriptions,
        @Nullable Position next,
        long sharedSteps) {

    /** The shared steps of all rules for one message. */
    public static final long SHARED_STEPS_MAX = StepBudget.SHARED_STEPS;

    /** Returns the explanation of a send that would be refused. */
    public static SendExplanation refused(int fragment, Rejection refusal) {
        return new SendExplanation(fragment, refusal, 0, 0, List.of(), List.of(), null, 0);
    }

    /** Returns the explanation of a send whose message would be dropped as a duplicate. */
    public static SendExplanation duplicate(int fragment, long of) {
        return new SendExplanation(fragment, null, of, 0, List.of(), List.of(), null, 0);
    }

    /**
     * A place among the rules of a topic.
     *
     * @param subscription the name of a subscription, in any case; the explanation continues with it, or with the next one if it is gone
     * @param rule the rules of that subscription before this position are known
     * @param plain whether the subscription already gets an unchanged copy
     * @param failed whether a rule of the subscription has already failed
     */
    public record Position(String subscription, long rule, boolean plain, boolean failed) {
        /** The place before all rules. */
        public static final Position START = new Position("", 0, false, false);
    }

    /**
     * The effects on one subscription, or on a part of its rules.
     *
     * @param name the name as created
     * @param rules the rules that match or fail, and some of the others
     * @param rulesNotShown the number of other rules that do not match
     * @param copies the copies for the subscription, including those in its dead-letter queue
     * @param dropped whether the subscription gets nothing, because a rule fails and it keeps no dead letters of such failures (DLQ-25). Then
     *     it does not get the copies of earlier parts either.
     */
    public record OfSubscription(
            String name, List<OfRule> rules, int rulesNotShown, List<Copy> copies, boolean dropped) {}

    /** The results of a rule. */
    public enum Result {
        /** The message matches. */
        MATCHED,
        /** The filter is false. */
        NOT_MATCHED,
        /** The filter is neither true nor false, because a property is missing or null (FILTER-7). */
        UNKNOWN,
        /** The filter or the action fails for the message (FILTER-24). */
        FAILED,
        /** The rule needs more steps than an explanation allows. */
        NOT_EVALUATED
    }

    /**
     * The evaluation of one rule.
     *
     * @param failure the reason of a failure, or null
     * @param properties the properties that the filter has read, with their values; null for a missing property. Long values are cut.
     * @param changes the changes of the copy by the action
     */
    public record OfRule(
            RuleDescription rule,
            Result result,
            @Nullable String failure,
            Map<String, @Nullable EncodedValue> properties,
            List<Change> changes) {}

    /**
     * The change of a property by an action. Long values are cut.
     *
     * @param property a name with the scope {@code sys.}, or the name of an application property
     * @param before the value in the message, or null if it is not set
     * @param after the value in the copy, or null if it is not set
     */
    public record Change(
            String property,
            @Nullable EncodedValue before,
            @Nullable EncodedValue after) {}

    /** The places where a copy would be. */
    public enum Fate {
        /** In the queue or subscription. */
        STORED,
        /** In its dead-letter queue. */
        DEAD_LETTERED
    }

    /**
     * A message as an entity would keep it.
     *
     * @param rule the rule whose action changed it, or null if it is unchanged
     * @param timeToLiveMs after all limits; {@link dev.jitney.model.MessageView#NEVER} for none
     * @param expiresAtMs milliseconds since the epoch; {@link dev.jitney.model.MessageView#NEVER} for never
     * @param reason the DeadLetterReason, or null if it is not dead-lettered
     * @param description the DeadLetterErrorDescription, or null if it is not dead-lettered
     * @param forward the message on its way to the next entity, if the entity forwards its messages; otherwise null
     */
    public record Copy(
            @Nullable String rule,
            Fate fate,
            long timeToLiveMs,
            long expiresAtMs,
            @Nullable String reason,
            @Nullable String description,
            @Nullable Forward forward) {

        /** Returns the same copy with the rule that changed it. */
        public Copy of(@Nullable String changingRule) {
            return new Copy(changingRule, fate, timeToLiveMs, expiresAtMs, reason, description, forward);
        }
    }

    /**
     * A message that an entity forwards.
     *
     * @param message as the destination would receive it, with this transfer counted
     * @param failure the reason why the entity cannot forward it to any destination, or null
     */
    public record Forward(IncomingMessage message, @Nullable ForwardFailure failure) {}

    /**
     * The reason why a message cannot be forwarded.
     *
     * @param reason the DeadLetterReason
     * @param description the DeadLetterErrorDescription
     * @param inDeadLetterQueue whether it goes to the dead-letter queue in any case, and not to the transfer dead-letter queue
     */
    public record ForwardFailure(String reason, String description, boolean inDeadLetterQueue) {}
}
