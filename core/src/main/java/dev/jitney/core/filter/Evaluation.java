package dev.jitney.core.filter;

import dev.jitney.core.filter.property.MessageProperties;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * What one evaluation of filters and actions is about.
 *
 * @param message the message judged
 * @param newIds gives a fresh GUID for every {@code newid()}; chance comes in from outside, like time
 * @param steps what all rules together may cost
 */
public record Evaluation(MessageProperties message, Supplier<UUID> newIds, StepBudget steps) {

    /** The evaluation of a message that no rule has judged yet. */
    public Evaluation(MessageProperties message, Supplier<UUID> newIds) {
        this(message, newIds, new StepBudget());
    }
}
