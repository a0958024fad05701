package dev.jitney.core.filter;

import dev.jitney.core.filter.property.PropertyName;
import dev.jitney.core.filter.property.PropertyReference;
import dev.jitney.core.filter.property.SystemProperty;
import dev.jitney.core.filter.value.RuleValues;
import dev.jitney.core.filter.value.Value;
import dev.jitney.core.filter.value.ValueTuple;
import dev.jitney.model.ClientText;
import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.rule.RuleValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A filter with values that must all be equal (FILTER-26, 27). The properties have a fixed order, so that two filters on
 * the same properties have equal lists.
 */
record CorrelationFilter(List<PropertyReference> properties, ValueTuple values) implements CompiledFilter {
    private record Condition(PropertyReference property, Value value) {
        private String order() {
            return property instanceof PropertyReference.User user
                    ? "user." + user.name().folded()
                    : "sys." + ((PropertyReference.System) property).property().text();
        }
    }

    static CorrelationFilter of(CorrelationRuleFilter filter) {
        List<Condition> conditions = new ArrayList<>();
        add(conditions, SystemProperty.CORRELATION_ID, filter.correlationId());
        add(conditions, SystemProperty.MESSAGE_ID, filter.messageId());
        add(conditions, SystemProperty.TO, filter.to());
        add(conditions, SystemProperty.REPLY_TO, filter.replyTo());
        add(conditions, SystemProperty.LABEL, filter.label());
        add(conditions, SystemProperty.SESSION_ID, filter.sessionId());
        add(conditions, SystemProperty.REPLY_TO_SESSION_ID, filter.replyToSessionId());
        add(conditions, SystemProperty.CONTENT_TYPE, filter.contentType());
        for (Map.Entry<String, RuleValue> entry : filter.properties().entrySet()) {
            conditions.add(new Condition(
                    new PropertyReference.User(new PropertyName(entry.getKey())),
                    value(entry.getKey(), entry.getValue())));
        }
        if (conditions.isEmpty()) {
            throw new SyntaxException("Expected at least one condition in a correlation filter, but got none.");
        }
        conditions.sort(Comparator.comparing(Condition::order));
        return new CorrelationFilter(
                conditions.stream().map(Condition::property).toList(),
                new ValueTuple(conditions.stream().map(Condition::value).toArray(Value[]::new)));
    }

    private static void add(List<Condition> conditions, SystemProperty property, @Nullable String text) {
        if (text != null) {
            conditions.add(new Condition(new PropertyReference.System(property), Value.ofString(text)));
        }
    }

    private static Value value(String name, RuleValue value) {
        try {
            return RuleValues.parse(value);
        } catch (IllegalArgumentException malformed) {
            throw new SyntaxException("Expected " + value.type().xsdName() + " as the value of property '"
                    + ClientText.abbreviate(name) + "', but got '" + ClientText.abbreviate(value.text()) + "'.");
        }
    }

    @Override
    public Value judge(Evaluation evaluation) {
        StepBudget steps = evaluation.steps();
        steps.startRule();
        return steps.take((long) CorrelationIndex.STEPS_PER_PROPERTY * properties.size())
                ? evaluate(evaluation)
                : steps.reason();
    }

    @Override
    public Value evaluate(Evaluation evaluation) {
        for (int i = 0; i < properties.size(); i++) {
            if (!values.get(i).equals(properties.get(i).read(evaluation.message()))) {
                return Value.FALSE;
            }
        }
        return Value.TRUE;
    }
}
