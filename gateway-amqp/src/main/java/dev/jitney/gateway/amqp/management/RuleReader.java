package dev.jitney.gateway.amqp.management;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.Codes;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.model.ClientText;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter;
import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.rule.RuleFilter.FalseRuleFilter;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.RuleFilter.TrueRuleFilter;
import dev.jitney.model.rule.RuleValue;
import dev.jitney.model.rule.SqlRuleAction;
import dev.jitney.runtime.RuleValueEncoding;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The reader of a rule that a request adds (wire reference 6.9). The code that creates rules checks the contents. */
final class RuleReader {
    static final String NAME = "rule-name";
    static final String DESCRIPTION = "rule-description";

    private static final String SQL_FILTER = "sql-filter";
    private static final String CORRELATION_FILTER = "correlation-filter";
    private static final String EXPRESSION = "expression";

    /** The limit of values in a rule (HTTP reference 5.2). Further values are not even read. */
    private static final int VALUES_MAX = 1_024;

    /** The expressions that clients send for a true and a false filter, for which the request has no other form. */
    private static final String TRUE = "1=1";

    private static final String FALSE = "1=0";

    private RuleReader() {}

    static RuleDescription read(Arguments arguments) throws MessageFormatException {
        Arguments description = arguments.map(DESCRIPTION);
        String name = arguments.text(NAME);
        String repeated = description.optionalText(NAME);
        if (repeated != null && !repeated.toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT))) {
            throw MessageFormatException.argument("Expected one name of the rule, but got '"
                    + ClientText.abbreviate(name) + "' and '" + ClientText.abbreviate(repeated) + "'.");
        }
        return new RuleDescription(name, filter(description), action(description));
    }

    private static RuleFilter filter(Arguments description) throws MessageFormatException {
        Arguments sql = description.optionalMap(SQL_FILTER);
        Arguments correlation = description.optionalMap(CORRELATION_FILTER);
        if (sql != null && correlation == null) {
            return sqlFilter(sql);
        }
        if (correlation != null && sql == null) {
            return correlationFilter(correlation);
        }
        throw MessageFormatException.argument("Expected one of '" + SQL_FILTER + "' and '" + CORRELATION_FILTER
                + "' in argument '" + DESCRIPTION + "', but got " + (sql == null ? "none" : "both") + ".");
    }

    private static RuleFilter sqlFilter(Arguments filter) throws MessageFormatException {
        String expression = filter.text(EXPRESSION);
        Map<String, RuleValue> parameters = values(filter, "parameters", false);
        if (parameters.isEmpty() && expression.equals(TRUE)) {
            return TrueRuleFilter.INSTANCE;
        }
        if (parameters.isEmpty() && expression.equals(FALSE)) {
            return new FalseRuleFilter();
        }
        return new SqlRuleFilter(expression, parameters);
    }

    private static RuleFilter correlationFilter(Arguments filter) throws MessageFormatException {
        return new CorrelationRuleFilter(
                filter.optionalText("correlation-id"),
                filter.optionalText("message-id"),
                filter.optionalText("to"),
                filter.optionalText("reply-to"),
                filter.optionalText("label"),
                filter.optionalText("session-id"),
                filter.optionalText("reply-to-session-id"),
                filter.optionalText("content-type"),
                values(filter, "properties", true));
    }

    private static @Nullable SqlRuleAction action(Arguments description) throws MessageFormatException {
        Arguments action = description.optionalMap("sql-rule-action");
        return action == null ? null : new SqlRuleAction(action.text(EXPRESSION), values(action, "parameters", false));
    }

    private static String key(AmqpReader in) throws MessageFormatException {
        int code = in.peekCode();
        if (code == Codes.SYM8 || code == Codes.SYM32) {
            in.enterSymbol();
        } else {
            in.enterString();
        }
        return in.text();
    }

    /**
     * Returns typed values by name; none if the map is missing.
     *
     * @param nulls whether an entry may be null, which means the same as a missing entry
     */
    private static Map<String, RuleValue> values(Arguments arguments, String name, boolean nulls)
            throws MessageFormatException {
        byte[] encoded = arguments.optionalEncodedMap(name);
        if (encoded == null) {
            return Map.of();
        }
        AmqpReader in = new AmqpReader(encoded, 0, encoded.length);
        int count = in.enterMap() / 2;
        if (count > VALUES_MAX) {
            throw MessageFormatException.argument("Expected at most " + VALUES_MAX + " values in argument '"
                    + arguments.shown(name) + "', but got " + count + ".");
        }
        int end = in.compoundEnd();
        Map<String, RuleValue> values = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            String key = key(in);
            if (nulls && in.peekCode() == Codes.NULL) {
                in.skipValue();
                continue;
            }
            RuleValue value = RuleValueEncoding.read(in);
            if (value == null) {
                throw MessageFormatException.argument("Expected a simple value, neither null nor a date with offset,"
                        + " for '" + ClientText.abbreviate(key) + "' in argument '" + arguments.shown(name)
                        + "', but got another value.");
            }
            values.put(key, value);
        }
        in.checkEnd(end);
        return values;
    }
}
