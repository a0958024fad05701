package dev.jitney.runtime;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.core.filter.value.EncodedRuleValues;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.rule.RuleValue;
import org.jspecify.annotations.Nullable;

/**
 * Typed values of rules in the encoding of AMQP, for gateways that hand rules in and out (wire reference 6.9). A function of
 * its arguments; any thread may call it.
 */
public final class RuleValueEncoding {

    private RuleValueEncoding() {}

    /** The encoding of a value of a rule that exists. */
    public static EncodedValue encode(RuleValue value) {
        return EncodedRuleValues.encode(value);
    }

    /** Reads the next value; null if it is null or of a type that no rule can hold. */
    public static @Nullable RuleValue read(AmqpReader in) throws MessageFormatException {
        return EncodedRuleValues.read(in);
    }
}
