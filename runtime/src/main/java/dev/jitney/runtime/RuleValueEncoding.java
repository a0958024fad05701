package dev.jitney.runtime;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.core.filter.value.EncodedRuleValues;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.rule.RuleValue;
import org.jspecify.annotations.Nullable;

/**
 * The AMQP encoding of typed rule values, for gateways that read and return rules (wire reference 6.9). A pure
 * function; any thread may call it.
 */
public final class RuleValueEncoding {

    private RuleValueEncoding() {}

    /** Returns the encoding of a value of an existing rule. */
    public static EncodedValue encode(RuleValue value) {
        return EncodedRuleValues.encode(value);
    }

    /** Reads the next value; returns null if it is null or of a type that rules do not support. */
    public static @Nullable RuleValue read(AmqpReader in) throws MessageFormatException {
        return EncodedRuleValues.read(in);
    }
}
