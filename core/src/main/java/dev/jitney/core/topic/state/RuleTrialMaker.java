package dev.jitney.core.topic.state;

import dev.jitney.core.SendExplanation.Change;
import dev.jitney.core.SendExplanation.OfRule;
import dev.jitney.core.SendExplanation.Position;
import dev.jitney.core.SendExplanation.Result;
import dev.jitney.core.filter.CompiledFilter;
import dev.jitney.core.filter.Evaluation;
import dev.jitney.core.filter.EvaluationError;
import dev.jitney.core.filter.StepBudget;
import dev.jitney.core.filter.property.MessageProperties;
import dev.jitney.core.filter.property.ObservedProperties;
import dev.jitney.core.filter.value.Value;
import dev.jitney.core.topic.Match;
import dev.jitney.core.topic.Match.Failure;
import dev.jitney.core.topic.RuleTrial;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Limits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One part of an explanation: the evaluation of some rules, one by one, with their compiled filters and actions. It ends when its steps
 * are used up. A rule that has failed because earlier rules took the steps is evaluated again as the first one of the next part.
 */
final class RuleTrialMaker {
    private static final int RULES_MAX = 100;
    private static final int SUBSCRIPTIONS_MAX = 100;
    private static final long STEPS_MAX = StepBudget.EXPLANATION_STEPS;
    private static final long OWN_BYTES_MAX = 1L << 20;

    /** The steps for reading the values of a filter for the answer, and for one rule that is passed over. */
    private static final int STEPS_PER_RULE = 256;

    private static final int STEPS_PER_SKIPPED_RULE = 4;

    /** The rules of a subscription that are shown although they do not match. */
    private static final int NOT_MATCHING_SHOWN_MAX = 20;

    private final IncomingMessage message;
    private final ObservedProperties properties;
    private final MessageProperties sent;
    private final StepBudget budget = StepBudget.ofExplanation();
    private final Evaluation evaluation;
    private final CopyMaker copies;
    private final Function<TopicRule, Filter> filters;
    private final List<RuleTrial.Part> parts = new ArrayList<>();
    private final int subscriptionsMax;
    private int evaluated;
    private long otherSteps;
    private long sharedSteps;
    private long ownBytes;

    /** A compiled filter, or the reason why there is none. */
    record Filter(
            @Nullable CompiledFilter compiled, @Nullable Failure broken) {}

    RuleTrialMaker(
            IncomingMessage message,
            MessageProperties sent,
            Supplier<UUID> newIds,
            Limits limits,
            Function<TopicRule, Filter> filters,
            int subscriptionsMax) {
        this.message = message;
        this.sent = sent;
        this.properties = new ObservedProperties(sent);
        this.evaluation = new Evaluation(properties, newIds, budget);
        this.copies = new CopyMaker(message, evaluation, limits);
        this.filters = filters;
        this.subscriptionsMax = Math.min(subscriptionsMax, SUBSCRIPTIONS_MAX);
    }

    /** Returns the steps taken. */
    long steps() {
        return budget.used() + otherSteps;
    }

    private boolean isFull() {
        return evaluated >= RULES_MAX
                || parts.size() >= subscriptionsMax
                || steps() >= STEPS_MAX
                || ownBytes >= OWN_BYTES_MAX;
    }

    RuleTrial make(NavigableMap<String, SubscriberRules> byName, Position from) {
        Position at = from;
        Map.Entry<String, SubscriberRules> next = byName.ceilingEntry(from.subscription());
        while (next != null) {
            boolean begun = next.getKey().equals(at.subscription());
            if (isFull()) {
                return trial(begun ? at : new Position(next.getKey(), 0, false, false));
            }
            Position stop = subscription(
                    next.getKey(), next.getValue(), begun ? at : new Position(next.getKey(), 0, false, false));
            if (stop != null) {
                return trial(stop);
            }
            at = Position.START;
            next = byName.higherEntry(next.getKey());
        }
        return trial(null);
    }

    private RuleTrial trial(@Nullable Position next) {
        return new RuleTrial(parts, next, sharedSteps);
    }

    /** Evaluates the rules of a subscription; returns the rule from which to continue, or null after the last one. */
    private @Nullable Position subscription(String key, SubscriberRules member, Position from) {
        MatchBuilder match = new MatchBuilder();
        List<OfRule> shown = new ArrayList<>();
        List<String> changedBy = new ArrayList<>();
        int notMatching = 0;
        Position stop = null;
        for (TopicRule rule : member.rules.values()) {
            if (rule.position() < from.rule()) {
                otherSteps += STEPS_PER_SKIPPED_RULE;
                continue;
            }
            OfRule result = isFull() ? null : evaluate(rule, match, changedBy);
            if (result == null) {
                stop = new Position(key, rule.position(), false, false);
                break;
            }
            boolean other = result.result() == Result.NOT_MATCHED || result.result() == Result.UNKNOWN;
            notMatching += other ? 1 : 0;
            if (!other || notMatching <= NOT_MATCHING_SHOWN_MAX) {
                shown.add(result);
            }
        }
        Match built = match.of(member.subscriber());
        boolean failed = from.failed() || built.failure() != null;
        ownBytes += Match.ownBytes(message, List.of(built));
        parts.add(new RuleTrial.Part(
                new Match(
                        built.subscriber(),
                        built.plain() && !from.plain(),
                        built.changed(),
                        from.failed() ? null : built.failure()),
                shown,
                Math.max(0, notMatching - NOT_MATCHING_SHOWN_MAX),
                changedBy,
                failed));
        return stop == null ? null : new Position(key, stop.rule(), from.plain() || built.plain(), failed);
    }

    /** Evaluates a rule; returns null if it needs more steps than this part has left. */
    private @Nullable OfRule evaluate(TopicRule rule, MatchBuilder match, List<String> changedBy) {
        boolean first = evaluated++ == 0;
        otherSteps += STEPS_PER_RULE;
        Filter filter = filters.apply(rule);
        if (filter.compiled() == null) {
            Failure broken = filter.broken() == null
                    ? new Failure(EvaluationError.FILTER, "The rule is not compiled.")
                    : filter.broken();
            match.fail(broken);
            return result(rule, Result.FAILED, broken.description());
        }
        properties.take();
        Value value = filter.compiled().judge(evaluation); // starts the rule in the budget
        Map<String, @Nullable EncodedValue> read = new LinkedHashMap<>();
        properties.take().forEach((name, seen) -> read.put(name, ShownValues.of(seen)));
        boolean exceeded = endRule();
        if (exceeded) {
            return first ? notEvaluated(rule, read) : null;
        }
        if (value.isError()) {
            EvaluationError error = EvaluationError.ofFilter(value);
            match.fail(new Failure(error.reason(), error.description()));
            return new OfRule(rule.description(), Result.FAILED, value.description(), read, List.of());
        }
        if (!value.isTrue()) {
            return new OfRule(
                    rule.description(), value.isFalse() ? Result.NOT_MATCHED : Result.UNKNOWN, null, read, List.of());
        }
        if (rule.isPlain()) {
            match.plain();
            return new OfRule(rule.description(), Result.MATCHED, null, read, List.of());
        }
        return act(rule, match, changedBy, read, first);
    }

    private @Nullable OfRule act(
            TopicRule rule,
            MatchBuilder match,
            List<String> changedBy,
            Map<String, @Nullable EncodedValue> read,
            boolean first) {
        budget.startRule();
        CopyMaker.Attempt attempt = copies.make(rule);
        if (endRule()) {
            return first ? notEvaluated(rule, read) : null;
        }
        match.add(attempt);
        Failure failure = attempt.failure();
        if (failure != null) {
            return new OfRule(rule.description(), Result.FAILED, failure.description(), read, List.of());
        }
        changedBy.add(rule.name());
        List<Change> changes = ShownValues.changes(attempt.changes(), sent, rule.name());
        return new OfRule(rule.description(), Result.MATCHED, null, read, changes);
    }

    /** Counts the shared steps of a rule; returns whether it has tried to take more than there are. */
    private boolean endRule() {
        boolean exceeded = budget.isExceeded();
        sharedSteps += budget.sharedOfRule();
        return exceeded;
    }

    private static OfRule notEvaluated(TopicRule rule, Map<String, @Nullable EncodedValue> read) {
        return new OfRule(
                rule.description(),
                Result.NOT_EVALUATED,
                "The rule needs more than " + (StepBudget.RULE_STEPS + StepBudget.EXPLANATION_STEPS)
                        + " steps for this message, so it is not evaluated here. A send may take more.",
                read,
                List.of());
    }

    private static OfRule result(TopicRule rule, Result result, String failure) {
        return new OfRule(rule.description(), result, failure, Map.of(), List.of());
    }
}
