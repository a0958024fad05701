package dev.jitney.simulation.model.entity;

import dev.jitney.model.rule.RuleDescription;
import dev.jitney.simulation.model.row.VisibleProperties;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A rule as the client defined it, with its meaning.
 *
 * @param filter returns the verdict of its filter about messages, by their tags
 * @param action returns the properties of a message after its action, null if the action fails; null for a rule without
 *     an action
 */
public record AskedRule(
        RuleDescription description,
        IntFunction<Verdict> filter,
        @Nullable Function<VisibleProperties, @Nullable VisibleProperties> action) {

    /** The verdict of a filter about a message. */
    public enum Verdict {
        NO,
        YES,
        /** The filter fails to evaluate the message (FILTER-24). */
        FAILS;

        public static Verdict of(boolean takes) {
            return takes ? YES : NO;
        }
    }
}
