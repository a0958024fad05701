package dev.jitney.gateway.http.operator.rule;

import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.ClientText;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter;
import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.rule.RuleFilter.FalseRuleFilter;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.RuleValue;
import dev.jitney.model.rule.SqlRuleAction;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A rule as JSON.
 *
 * <table>
 * <caption>members</caption>
 * <tr><td>filter</td><td>the text of an SQL filter; {@code {"sql": text, "parameters": {…}}} if it has parameters; or the properties of a
 * correlation filter: correlationId, messageId, to, replyTo, subject, sessionId, replyToSessionId, contentType and applicationProperties.
 * True and false filters are {@code 1=1} and {@code 1=0}.</td></tr>
 * <tr><td>action</td><td>the text of an SQL action, in the same two forms, or absent</td></tr>
 * </table>
 *
 * <p>Values are text, booleans, or {@code {"type": "int", "value": "5"}} with a type of XML Schema, in which rules keep them. Pure
 * functions; any thread may call them.
 */
public final class RuleDocument {
    private static final String FILTER = "filter";
    private static final String ACTION = "action";
    private static final String SQL = "sql";
    private static final String PARAMETERS = "parameters";
    private static final String TYPE = "type";
    private static final String VALUE = "value";
    private static final String PROPERTIES = "applicationProperties";
    private static final List<String> FIELDS = List.of(
            "correlationId", "messageId", "to", "replyTo", "subject", "sessionId", "replyToSessionId", "contentType");

    private static final Set<String> CORRELATION_MEMBERS = new TreeSet<>(FIELDS);

    static {
        CORRELATION_MEMBERS.add(PROPERTIES);
    }

    private RuleDocument() {}

    /** Returns the document of a rule, with its name. */
    public static JsonObject of(RuleDescription rule) {
        JsonObject document = new JsonObject().put("rule", rule.name()).put(FILTER, filter(rule.filter()));
        SqlRuleAction action = rule.action();
        return action == null ? document : document.put(ACTION, sql(action.expression(), action.parameters()));
    }

    private static Object filter(RuleFilter filter) {
        if (filter instanceof SqlRuleFilter sql) {
            return sql(sql.expression(), sql.parameters());
        }
        if (filter instanceof CorrelationRuleFilter correlation) {
            List<@Nullable String> texts = Arrays.asList(
                    correlation.correlationId(),
                    correlation.messageId(),
                    correlation.to(),
                    correlation.replyTo(),
                    correlation.label(),
                    correlation.sessionId(),
                    correlation.replyToSessionId(),
                    correlation.contentType());
            JsonObject document = new JsonObject();
            for (int i = 0; i < texts.size(); i++) {
                if (texts.get(i) != null) {
                    document.put(FIELDS.get(i), texts.get(i));
                }
            }
            return correlation.properties().isEmpty()
                    ? document
                    : document.put(PROPERTIES, values(correlation.properties()));
        }
        return filter instanceof FalseRuleFilter ? "1=0" : "1=1";
    }

    private static Object sql(String expression, Map<String, RuleValue> parameters) {
        return parameters.isEmpty()
                ? expression
                : new JsonObject().put(SQL, expression).put(PARAMETERS, values(parameters));
    }

    private static JsonObject values(Map<String, RuleValue> values) {
        JsonObject document = new JsonObject();
        values.forEach((name, value) -> document.put(
                name,
                switch (value.type()) {
                    case STRING -> value.text();
                    case BOOLEAN ->
                        value.text().equals("true") || value.text().equals("false")
                                ? (Object) Boolean.valueOf(value.text())
                                : typed(value);
                    default -> typed(value);
                }));
        return document;
    }

    private static JsonObject typed(RuleValue value) {
        return new JsonObject().put(TYPE, value.type().xsdName()).put(VALUE, value.text());
    }

    /**
     * Reads a rule. The broker checks filter, action and values.
     *
     * @param name the name in the path
     * @param members the JSON object in the body of the request
     * @throws RefusedException with 400 if a member is unknown, missing or of a wrong type; the text names it
     */
    public static RuleDescription read(String name, Map<String, @Nullable Object> members) throws RefusedException {
        for (String member : members.keySet()) {
            if (!member.equals(FILTER) && !member.equals(ACTION)) {
                throw bad("Expected the members [" + FILTER + ", " + ACTION + "] in the body of the request, but got '"
                        + ClientText.abbreviate(member) + "'.");
            }
        }
        Object action = members.get(ACTION);
        return new RuleDescription(name, filter(members.get(FILTER)), action == null ? null : action(action));
    }

    private static RuleFilter filter(@Nullable Object given) throws RefusedException {
        if (given instanceof String text) {
            return new SqlRuleFilter(text, Map.of());
        }
        if (!(given instanceof Map<?, ?> object)) {
            throw wrong(
                    FILTER,
                    "the text of an SQL filter, or an object with the properties of a correlation filter",
                    given);
        }
        if (object.containsKey(SQL)) {
            return new SqlRuleFilter(expression(FILTER, object), parameters(FILTER, object));
        }
        for (Object member : object.keySet()) {
            if (!CORRELATION_MEMBERS.contains(String.valueOf(member))) {
                throw bad("Expected the members " + CORRELATION_MEMBERS
                        + ", or [sql, parameters], in the member 'filter'," + " but got '"
                        + ClientText.abbreviate(String.valueOf(member)) + "'.");
            }
        }
        Map<String, String> texts = new LinkedHashMap<>();
        for (String field : FIELDS) {
            Object value = object.get(field);
            if (value instanceof String text) {
                texts.put(field, text);
            } else if (value != null) {
                throw wrong(FILTER + "." + field, "text", value);
            }
        }
        return new CorrelationRuleFilter(
                texts.get("correlationId"),
                texts.get("messageId"),
                texts.get("to"),
                texts.get("replyTo"),
                texts.get("subject"),
                texts.get("sessionId"),
                texts.get("replyToSessionId"),
                texts.get("contentType"),
                values(FILTER + "." + PROPERTIES, object.get(PROPERTIES)));
    }

    private static SqlRuleAction action(Object given) throws RefusedException {
        if (given instanceof String text) {
            return new SqlRuleAction(text, Map.of());
        }
        if (given instanceof Map<?, ?> object && object.containsKey(SQL)) {
            return new SqlRuleAction(expression(ACTION, object), parameters(ACTION, object));
        }
        throw wrong(ACTION, "the text of an SQL action", given);
    }

    private static String expression(String member, Map<?, ?> object) throws RefusedException {
        if (object.get(SQL) instanceof String text) {
            return text;
        }
        throw wrong(member + "." + SQL, "text", object.get(SQL));
    }

    private static Map<String, RuleValue> parameters(String member, Map<?, ?> object) throws RefusedException {
        for (Object name : object.keySet()) {
            if (!SQL.equals(name) && !PARAMETERS.equals(name)) {
                throw bad("Expected the members [sql, parameters] in the member '" + member + "', but got '"
                        + ClientText.abbreviate(String.valueOf(name)) + "'.");
            }
        }
        return values(member + "." + PARAMETERS, object.get(PARAMETERS));
    }

    private static Map<String, RuleValue> values(String member, @Nullable Object given) throws RefusedException {
        if (given == null) {
            return Map.of();
        }
        if (!(given instanceof Map<?, ?> object)) {
            throw wrong(member, "an object", given);
        }
        Map<String, RuleValue> values = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : object.entrySet()) {
            String name = String.valueOf(entry.getKey());
            values.put(name, value(member + "." + ClientText.abbreviate(name), entry.getValue()));
        }
        return values;
    }

    private static RuleValue value(String member, @Nullable Object given) throws RefusedException {
        if (given instanceof String text) {
            return RuleValue.ofString(text);
        }
        if (given instanceof Boolean truth) {
            return new RuleValue(RuleValue.Type.BOOLEAN, truth.toString());
        }
        if (given instanceof Map<?, ?> typed
                && typed.keySet().equals(Set.of(TYPE, VALUE))
                && typed.get(VALUE) != null
                && !(typed.get(VALUE) instanceof Map)
                && !(typed.get(VALUE) instanceof List)) {
            for (RuleValue.Type type : RuleValue.Type.values()) {
                if (type.xsdName().equals(typed.get(TYPE))) {
                    return new RuleValue(type, String.valueOf(typed.get(VALUE)));
                }
            }
            throw wrong(
                    member + "." + TYPE,
                    "one of "
                            + Arrays.stream(RuleValue.Type.values())
                                    .map(RuleValue.Type::xsdName)
                                    .toList(),
                    typed.get(TYPE));
        }
        throw wrong(member, "text, true, false or an object such as {\"type\": \"int\", \"value\": \"5\"}", given);
    }

    private static RefusedException wrong(String member, String expected, @Nullable Object value) {
        String shown = value instanceof Map
                ? "an object"
                : value instanceof List ? "an array" : "'" + ClientText.abbreviate(String.valueOf(value)) + "'";
        return bad("Expected " + expected + " in the member '" + member + "', but got "
                + (value == null ? "nothing" : shown) + ".");
    }

    private static RefusedException bad(String sentence) {
        return new RefusedException(HttpError.badRequest(sentence));
    }
}
