package dev.jitney.cli.entity;

import com.azure.messaging.servicebus.administration.models.CorrelationRuleFilter;
import com.azure.messaging.servicebus.administration.models.EmptyRuleAction;
import com.azure.messaging.servicebus.administration.models.FalseRuleFilter;
import com.azure.messaging.servicebus.administration.models.RuleAction;
import com.azure.messaging.servicebus.administration.models.RuleFilter;
import com.azure.messaging.servicebus.administration.models.RuleProperties;
import com.azure.messaging.servicebus.administration.models.SqlRuleAction;
import com.azure.messaging.servicebus.administration.models.SqlRuleFilter;
import com.azure.messaging.servicebus.administration.models.TrueRuleFilter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Conversion between rules and documents.
 *
 * <p>Values of application properties in correlation filters and of parameters are text, because this SDK sends and reads
 * them all as text (HTTP 2.7). To filter on a number, use an SQL expression.
 */
final class Rules {
    /** The system properties a correlation filter may name. */
    static final Map<String, SystemProperty> SYSTEM_PROPERTIES = systemProperties();

    private Rules() {}

    /** The SDK's accessors for a system property. */
    record SystemProperty(
            Function<CorrelationRuleFilter, @Nullable String> getter,
            BiConsumer<CorrelationRuleFilter, String> setter) {}

    private static Map<String, SystemProperty> systemProperties() {
        Map<String, SystemProperty> all = new LinkedHashMap<>();
        all.put(
                "correlationId",
                new SystemProperty(CorrelationRuleFilter::getCorrelationId, CorrelationRuleFilter::setCorrelationId));
        all.put(
                "messageId",
                new SystemProperty(CorrelationRuleFilter::getMessageId, CorrelationRuleFilter::setMessageId));
        all.put("to", new SystemProperty(CorrelationRuleFilter::getTo, CorrelationRuleFilter::setTo));
        all.put("replyTo", new SystemProperty(CorrelationRuleFilter::getReplyTo, CorrelationRuleFilter::setReplyTo));
        all.put("subject", new SystemProperty(CorrelationRuleFilter::getLabel, CorrelationRuleFilter::setLabel));
        all.put(
                "sessionId",
                new SystemProperty(CorrelationRuleFilter::getSessionId, CorrelationRuleFilter::setSessionId));
        all.put(
                "replyToSessionId",
                new SystemProperty(
                        CorrelationRuleFilter::getReplyToSessionId, CorrelationRuleFilter::setReplyToSessionId));
        all.put(
                "contentType",
                new SystemProperty(CorrelationRuleFilter::getContentType, CorrelationRuleFilter::setContentType));
        return all;
    }

    /** Returns name, filter and action as a document. */
    static Map<String, @Nullable Object> description(RuleProperties rule) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("name", rule.getName());
        document.put("filter", filter(rule.getFilter()));
        if (rule.getAction() instanceof SqlRuleAction action) {
            document.put("action", sql(action.getSqlExpression(), action.getParameters()));
        }
        return document;
    }

    private static Map<String, @Nullable Object> filter(RuleFilter filter) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        if (filter instanceof TrueRuleFilter) {
            document.put("type", "true");
        } else if (filter instanceof FalseRuleFilter) {
            document.put("type", "false");
        } else if (filter instanceof SqlRuleFilter sql) {
            document.put("type", "sql");
            document.putAll(sql(sql.getSqlExpression(), sql.getParameters()));
        } else if (filter instanceof CorrelationRuleFilter correlation) {
            document.put("type", "correlation");
            SYSTEM_PROPERTIES.forEach((name, property) -> {
                String value = property.getter().apply(correlation);
                if (value != null) {
                    document.put(name, value);
                }
            });
            if (!correlation.getProperties().isEmpty()) {
                document.put("properties", texts(correlation.getProperties()));
            }
        } else {
            document.put("type", "unknown");
        }
        return document;
    }

    /** Returns a filter as short text for people. */
    static String readable(Map<?, ?> filter) {
        return switch (String.valueOf(filter.get("type"))) {
            case "true" -> "all";
            case "false" -> "none";
            case "sql" -> String.valueOf(filter.get("sqlExpression"));
            default -> {
                StringJoiner conditions = new StringJoiner(", ");
                filter.forEach((name, value) -> {
                    if (value instanceof Map<?, ?> properties) {
                        properties.forEach((property, text) -> conditions.add(property + "=" + text));
                    } else if (!"type".equals(name)) {
                        conditions.add(name + "=" + value);
                    }
                });
                yield conditions.toString();
            }
        };
    }

    private static Map<String, @Nullable Object> sql(String expression, Map<String, Object> parameters) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("sqlExpression", expression);
        if (!parameters.isEmpty()) {
            document.put("parameters", texts(parameters));
        }
        return document;
    }

    private static Map<String, @Nullable Object> texts(Map<String, Object> values) {
        Map<String, @Nullable Object> texts = new LinkedHashMap<>();
        values.forEach((name, value) -> texts.put(name, String.valueOf(value)));
        return texts;
    }

    /**
     * Returns the filter of a document.
     *
     * @throws IllegalArgumentException with a message for the user
     */
    static RuleFilter readFilter(Map<?, ?> document) {
        String type = String.valueOf(document.get("type"));
        return switch (type) {
            case "true" -> new TrueRuleFilter();
            case "false" -> new FalseRuleFilter();
            case "sql" -> {
                SqlRuleFilter sql = new SqlRuleFilter(expression(document));
                putTexts(document.get("parameters"), sql.getParameters());
                yield sql;
            }
            case "correlation" -> {
                CorrelationRuleFilter correlation = new CorrelationRuleFilter();
                SYSTEM_PROPERTIES.forEach((name, property) -> {
                    Object value = document.get(name);
                    if (value != null) {
                        property.setter().accept(correlation, value.toString());
                    }
                });
                putTexts(document.get("properties"), correlation.getProperties());
                yield correlation;
            }
            default ->
                throw new IllegalArgumentException(
                        "Expected a filter of type sql, correlation, true or false, but got '" + type + "'.");
        };
    }

    /** Returns the action of a document. An absent action is the empty action. */
    static RuleAction readAction(@Nullable Object document) {
        if (document instanceof Map<?, ?> map) {
            SqlRuleAction action = new SqlRuleAction(expression(map));
            putTexts(map.get("parameters"), action.getParameters());
            return action;
        }
        return new EmptyRuleAction();
    }

    private static String expression(Map<?, ?> document) {
        Object expression = document.get("sqlExpression");
        if (expression == null) {
            throw new IllegalArgumentException("Expected the member sqlExpression, but it is missing.");
        }
        return expression.toString();
    }

    private static void putTexts(@Nullable Object from, Map<String, Object> to) {
        if (from instanceof Map<?, ?> map) {
            map.forEach((name, value) -> to.put(String.valueOf(name), String.valueOf(value)));
        }
    }
}
