package dev.jitney.core.topic.state;

import dev.jitney.core.filter.Compilation;
import dev.jitney.core.filter.CompiledAction;
import dev.jitney.core.filter.CompiledFilter;
import dev.jitney.core.filter.EvaluationError;
import dev.jitney.core.filter.FilterLanguage;
import dev.jitney.core.filter.RuleSet;
import dev.jitney.core.topic.Match.Failure;
import dev.jitney.model.Rejection;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.SqlRuleAction;
import org.jspecify.annotations.Nullable;

/**
 * A rule of a subscription, compiled at its first use. Two rules are never equal.
 *
 * <p>Rules are checked at creation, so that compiling can fail only after an update of Jitney; then the rule fails for
 * every message.
 */
final class TopicRule {
    private static final long STEPS = 2_000;
    private static final long STEPS_PER_CHARACTER = 300;

    private final SubscriberRules member;
    private final long position;
    private final RuleDescription description;
    private @Nullable CompiledAction action;
    private @Nullable Failure brokenAction;

    /**
     * Creates a rule that is not compiled.
     *
     * @param position its position among the rules of the subscription
     */
    TopicRule(SubscriberRules member, long position, RuleDescription description) {
        this.member = member;
        this.position = position;
        this.description = description;
    }

    SubscriberRules member() {
        return member;
    }

    long position() {
        return position;
    }

    /** Returns the name as created. */
    String name() {
        return description.name();
    }

    RuleDescription description() {
        return description;
    }

    /** Returns whether copies stay unchanged. */
    boolean isPlain() {
        return description.action() == null;
    }

    /**
     * Compiles the rule and adds it to the rules that are evaluated.
     *
     * @return the reason why it cannot be evaluated, or null
     */
    @Nullable
    Failure compileInto(RuleSet<TopicRule> rules) {
        Compilation<CompiledFilter> filter = FilterLanguage.compileFilter(description.filter());
        if (filter.rejection() != null) {
            return failure(EvaluationError.FILTER, filter.rejection());
        }
        SqlRuleAction text = description.action();
        if (text != null) {
            Compilation<CompiledAction> compiled = FilterLanguage.compileAction(text);
            action = compiled.compiled();
            brokenAction = compiled.rejection() == null ? null : failure(EvaluationError.ACTION, compiled.rejection());
        }
        rules.put(this, filter.get());
        return null;
    }

    /** Returns the approximate steps for compiling the rule. */
    long compilationSteps() {
        long characters = description.filter() instanceof SqlRuleFilter sql
                ? sql.expression().length()
                : 0;
        SqlRuleAction text = description.action();
        characters += text == null ? 0 : text.expression().length();
        return STEPS + STEPS_PER_CHARACTER * characters;
    }

    private static Failure failure(String reason, Rejection rejection) {
        return new Failure(reason, "Expected a rule that this version of Jitney supports. " + rejection.description());
    }

    /** Returns the reason why its action cannot be applied to any message, or null. */
    @Nullable
    Failure brokenAction() {
        return brokenAction;
    }

    /** Returns its compiled action. */
    CompiledAction action() {
        if (action == null) {
            throw new IllegalStateException("Expected a rule with a compiled action.");
        }
        return action;
    }
}
