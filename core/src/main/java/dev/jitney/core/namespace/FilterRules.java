package dev.jitney.core.namespace;

import dev.jitney.core.filter.FilterLanguage;
import dev.jitney.model.EntityNames;
import dev.jitney.model.Limits;
import dev.jitney.model.Rejection;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.RuleValue;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks of the rules of subscriptions: names, sizes, and the texts of filters and actions (HTTP reference 2.7, 5.2). */
public final class FilterRules {
    private static final int EXPRESSION_LENGTH_MAX = 1_024;
    private static final int CONDITIONS_MAX = 1_024;

    private FilterRules() {}

    /** Checks a new or changed rule. Returns null if it is valid. */
    public static @Nullable Rejection refuse(RuleDescription rule, Limits limits) {
        Rejection refusal = EntityNames.refuseChildName(rule.name(), true);
        if (refusal == null && rule.filter() instanceof SqlRuleFilter sql) {
            refusal = expression("filter", sql.expression(), sql.parameters(), limits);
        }
        if (refusal == null && rule.filter() instanceof CorrelationRuleFilter correlation) {
            refusal = correlation(correlation, limits);
        }
        if (refusal == null && rule.action() != null) {
            refusal = expression(
                    "action", rule.action().expression(), rule.action().parameters(), limits);
        }
        return refusal != null ? refusal : FilterLanguage.refuse(rule);
    }

    private static @Nullable Rejection expression(
            String what, String text, Map<String, RuleValue> parameters, Limits limits) {
        return text.isBlank() || text.length() > EXPRESSION_LENGTH_MAX
                ? Rejection.argument("Expected a SqlExpression of 1 to " + EXPRESSION_LENGTH_MAX
                        + " characters in the " + what + ", but got "
                        + (text.isEmpty() || !text.isBlank() ? text.length() : "only spaces") + ".")
                : values("Parameters of the " + what, parameters, limits);
    }

    private static @Nullable Rejection correlation(CorrelationRuleFilter filter, Limits limits) {
        if (filter.isEmpty()) {
            return Rejection.argument("Expected at least one condition in a CorrelationFilter, but got none.");
        }
        String[][] conditions = {
            {"CorrelationId", filter.correlationId()},
            {"MessageId", filter.messageId()},
            {"To", filter.to()},
            {"ReplyTo", filter.replyTo()},
            {"Label", filter.label()},
            {"SessionId", filter.sessionId()},
            {"ReplyToSessionId", filter.replyToSessionId()},
            {"ContentType", filter.contentType()},
        };
        for (String[] condition : conditions) {
            if (condition[1] != null && condition[1].length() > limits.maxPropertySizeBytes()) {
                return Rejection.argument("Expected " + condition[0] + " of at most "
                        + limits.maxPropertySizeBytes() + " characters in a CorrelationFilter, but got "
                        + condition[1].length() + ".");
            }
        }
        return values("Properties of the CorrelationFilter", filter.properties(), limits);
    }

    /** Limits values, because no message has more or larger properties (QUOTA-6). */
    private static @Nullable Rejection values(String where, Map<String, RuleValue> values, Limits limits) {
        if (values.size() > CONDITIONS_MAX) {
            return Rejection.argument(
                    "Expected at most " + CONDITIONS_MAX + " " + where + ", but got " + values.size() + ".");
        }
        long length = 0;
        for (Map.Entry<String, RuleValue> entry : values.entrySet()) {
            if (entry.getKey().isEmpty()) {
                return Rejection.argument("Expected a Key in each of the " + where + ", but got none.");
            }
            length += entry.getKey().length() + entry.getValue().text().length();
            if (length > limits.maxHeaderSizeBytes()) {
                return Rejection.argument("Expected " + where + " of at most " + limits.maxHeaderSizeBytes()
                        + " characters in total, but got more.");
            }
            Rejection refusal = RuleValueChecks.refuse(where, entry.getKey(), entry.getValue());
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }
}
