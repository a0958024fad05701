package dev.jitney.model.rule;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A rule of a subscription: a filter that selects messages, and an action that changes the copies (semantics chapter 15).
 *
 * @param name the name as created, 1 to 50 characters, compared without case
 * @param filter the filter that selects messages
 * @param action the change to the copy of a matching message, or null for no change
 */
public record RuleDescription(
        String name, RuleFilter filter, @Nullable SqlRuleAction action) {
    /** The name of the rule that a new subscription has unless its creator sets another one. */
    public static final String DEFAULT_NAME = "$Default";

    public RuleDescription {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(filter, "filter");
    }

    /** Returns the default rule, which matches every message. */
    public static RuleDescription takeEverything() {
        return new RuleDescription(DEFAULT_NAME, RuleFilter.TrueRuleFilter.INSTANCE, null);
    }
}
