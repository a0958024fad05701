package dev.jitney.model.rule;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A rule of a subscription: which messages it takes, and what it does to its copies (semantics chapter 15).
 *
 * @param name the name as created, 1 to 50 characters, compared without case
 * @param filter which messages match
 * @param action what is done to the copy of a matching message, or null for nothing
 */
public record RuleDescription(
        String name, RuleFilter filter, @Nullable SqlRuleAction action) {
    /** The rule a subscription is born with when nothing else is asked for. */
    public static final String DEFAULT_NAME = "$Default";

    public RuleDescription {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(filter, "filter");
    }

    /** The rule that takes everything. */
    public static RuleDescription takeEverything() {
        return new RuleDescription(DEFAULT_NAME, RuleFilter.TrueRuleFilter.INSTANCE, null);
    }
}
