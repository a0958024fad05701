package dev.jitney.simulation.model.entity;

import dev.jitney.model.rule.RuleDescription;
import dev.jitney.simulation.model.row.VisibleProperties;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A rule as it is asked for, and what it means.
 *
 * @param filter what its filter says of messages, by their tags
 * @param action what its action makes of a message, null if that fails; null if it has none
 */
public record AskedRule(
        RuleDescription description,
        IntFunction<Verdict> filter,
        @Nullable Function<VisibleProperties, @Nullable VisibleProperties> action) {

    /** What a filter says. */
    public enum Verdict {
        NO,
        YES,
        /** It cannot judge the message (FILTER-24). */
        FAILS;

        public static Verdict of(boolean takes) {
            return takes ? YES : NO;
        }
    }
}
