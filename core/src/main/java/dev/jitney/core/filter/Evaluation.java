package dev.jitney.core.filter;

import dev.jitney.core.filter.body.MessageBody;
import dev.jitney.core.filter.property.MessageProperties;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The input of one evaluation of filters and actions.
 *
 * @param message the message
 * @param newIds supplies a new GUID for every {@code newid()}; randomness is an argument, like time
 * @param steps the step budget of all rules together
 * @param body the body, which only the filters of searches read
 */
public record Evaluation(MessageProperties message, Supplier<UUID> newIds, StepBudget steps, MessageBody body) {

    /** Creates the evaluation of a message by rules, which do not read its body. */
    public Evaluation(MessageProperties message, Supplier<UUID> newIds, StepBudget steps) {
        this(message, newIds, steps, MessageBody.NONE);
    }

    /** Creates the evaluation of a message before any rule. */
    public Evaluation(MessageProperties message, Supplier<UUID> newIds) {
        this(message, newIds, new StepBudget());
    }
}
