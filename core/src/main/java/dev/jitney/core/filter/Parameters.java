package dev.jitney.core.filter;

import dev.jitney.core.filter.property.PropertyName;
import dev.jitney.core.filter.value.RuleValues;
import dev.jitney.core.filter.value.Value;
import dev.jitney.model.ClientText;
import dev.jitney.model.rule.RuleValue;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The values supplied for names such as {@code @limit} (FILTER-22). */
final class Parameters {
    private final Map<String, RuleValue> supplied = new HashMap<>();

    Parameters(Map<String, RuleValue> parameters) {
        parameters.forEach((name, value) -> {
            if (supplied.put(PropertyName.fold(name), value) != null) {
                throw new SyntaxException(
                        "Expected one value for each parameter, but '" + ClientText.abbreviate(name) + "' has two.");
            }
        });
    }

    /** Returns the value of a parameter whose name includes the {@code @}; null if it has no value. */
    @Nullable
    Value find(String name) {
        String folded = PropertyName.fold(name);
        RuleValue value = supplied.get(folded);
        if (value == null) {
            return null;
        }
        try {
            return RuleValues.parse(value);
        } catch (IllegalArgumentException malformed) {
            throw new SyntaxException("Expected " + value.type().xsdName() + " as the value of parameter '"
                    + ClientText.abbreviate(name) + "', but got '" + ClientText.abbreviate(value.text()) + "'.");
        }
    }
}
