package dev.jitney.gateway.amqp.management;

import dev.jitney.codec.AmqpWriter;
import dev.jitney.codec.Codes;
import dev.jitney.codec.ValueWriter;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.rule.Rule;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter;
import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.rule.RuleFilter.FalseRuleFilter;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.RuleValue;
import dev.jitney.model.rule.SqlRuleAction;
import dev.jitney.runtime.RuleValueEncoding;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The encoder of rules for rule managers (wire reference 6.9): described lists of full length, nested, with numeric
 * descriptors, which are the only ones that clients know.
 *
 * <table>
 * <caption>fields of the lists</caption>
 * <tr><th>type</th><th>descriptor</th><th>fields</th></tr>
 * <tr><td>rule-description</td><td>0x0000013700000004</td><td>filter, action, name, created-at</td></tr>
 * <tr><td>empty-rule-action</td><td>0x0000013700000005</td><td>none</td></tr>
 * <tr><td>sql-rule-action</td><td>0x0000013700000006</td><td>expression, compatibility level</td></tr>
 * <tr><td>sql-filter</td><td>0x0000001370000006</td><td>expression, compatibility level</td></tr>
 * <tr><td>true-filter</td><td>0x0000001370000007</td><td>none</td></tr>
 * <tr><td>false-filter</td><td>0x0000001370000008</td><td>none</td></tr>
 * <tr><td>correlation-filter</td><td>0x0000001370000009</td><td>eight strings or nulls, map of properties</td></tr>
 * </table>
 *
 * <p>These lists have no place for the parameters of expressions; only the administration API shows them.
 */
final class RuleWriter {
    private static final long RULE_DESCRIPTION = 0x0000_0137_0000_0004L;
    private static final long EMPTY_RULE_ACTION = 0x0000_0137_0000_0005L;
    private static final long SQL_RULE_ACTION = 0x0000_0137_0000_0006L;
    private static final long SQL_FILTER = 0x0000_0013_7000_0006L;
    private static final long TRUE_FILTER = 0x0000_0013_7000_0007L;
    private static final long FALSE_FILTER = 0x0000_0013_7000_0008L;
    private static final long CORRELATION_FILTER = 0x0000_0013_7000_0009L;

    /** The only version of the language. */
    private static final int COMPATIBILITY_LEVEL = 20;

    private static final int INITIAL_CAPACITY = 256;

    private final AmqpWriter out = new AmqpWriter(INITIAL_CAPACITY);

    private RuleWriter() {}

    /** Returns the encoded rule. */
    static EncodedValue encode(Rule rule) {
        RuleWriter writer = new RuleWriter();
        writer.write(rule);
        return new EncodedValue(writer.out.toByteArray());
    }

    private void write(Rule rule) {
        RuleDescription description = rule.description();
        int mark = begin(RULE_DESCRIPTION, 4);
        filter(description.filter());
        action(description.action());
        out.writeString(description.name());
        out.writeTimestamp(rule.createdAtMs());
        out.endCompound(mark);
    }

    private void filter(RuleFilter filter) {
        if (filter instanceof CorrelationRuleFilter correlation) {
            correlation(correlation);
        } else if (filter instanceof SqlRuleFilter sql) {
            expression(SQL_FILTER, sql.expression());
        } else {
            out.endCompound(begin(filter instanceof FalseRuleFilter ? FALSE_FILTER : TRUE_FILTER, 0));
        }
    }

    private void action(@Nullable SqlRuleAction action) {
        if (action == null) {
            out.endCompound(begin(EMPTY_RULE_ACTION, 0)); // clients fail on a null here
        } else {
            expression(SQL_RULE_ACTION, action.expression());
        }
    }

    private void expression(long descriptor, String expression) {
        int mark = begin(descriptor, 2);
        out.writeString(expression);
        out.writeInt(COMPATIBILITY_LEVEL);
        out.endCompound(mark);
    }

    private void correlation(CorrelationRuleFilter filter) {
        int mark = begin(CORRELATION_FILTER, 9);
        text(filter.correlationId());
        text(filter.messageId());
        text(filter.to());
        text(filter.replyTo());
        text(filter.label());
        text(filter.sessionId());
        text(filter.replyToSessionId());
        text(filter.contentType());
        int properties = out.beginMap(filter.properties().size());
        for (Map.Entry<String, RuleValue> property : filter.properties().entrySet()) {
            out.writeString(property.getKey());
            ValueWriter.write(out, RuleValueEncoding.encode(property.getValue()));
        }
        out.endCompound(properties);
        out.endCompound(mark);
    }

    private void text(@Nullable String text) {
        if (text == null) {
            out.writeNull();
        } else {
            out.writeString(text);
        }
    }

    /**
     * @return mark of the list, needed to end it
     */
    private int begin(long descriptor, int fields) {
        out.writeByte(Codes.DESCRIBED);
        out.writeULong(descriptor);
        return out.beginList(fields);
    }
}
