package dev.jitney.model.rule;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The filter of a rule, which selects messages (semantics chapter 15; HTTP reference 2.7). Values are not checked here.
 */
public sealed interface RuleFilter {

    /** A filter that matches every message. */
    record TrueRuleFilter() implements RuleFilter {
        public static final TrueRuleFilter INSTANCE = new TrueRuleFilter();
    }

    /** A filter that matches no message. */
    record FalseRuleFilter() implements RuleFilter {
        public static final FalseRuleFilter INSTANCE = new FalseRuleFilter();
    }

    /**
     * A filter that matches messages for which a condition in the SQL-like language is true.
     *
     * @param expression at most 1,024 characters
     * @param parameters values for names in the expression such as {@code @limit}, in the given order
     */
    record SqlRuleFilter(String expression, Map<String, RuleValue> parameters) implements RuleFilter {
        public SqlRuleFilter {
            Objects.requireNonNull(expression, "expression");
            parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
        }
    }

    /**
     * A filter that matches messages whose properties equal all the given ones. Null values are not compared.
     *
     * @param label the message's subject
     * @param properties application properties, in the given order
     */
    record CorrelationRuleFilter(
            @Nullable String correlationId,
            @Nullable String messageId,
            @Nullable String to,
            @Nullable String replyTo,
            @Nullable String label,
            @Nullable String sessionId,
            @Nullable String replyToSessionId,
            @Nullable String contentType,
            Map<String, RuleValue> properties)
            implements RuleFilter {

        public CorrelationRuleFilter {
            properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
        }

        /** Returns whether the filter compares no property, which is not allowed. */
        public boolean isEmpty() {
            return correlationId == null
                    && messageId == null
                    && to == null
                    && replyTo == null
                    && label == null
                    && sessionId == null
                    && replyToSessionId == null
                    && contentType == null
                    && properties.isEmpty();
        }
    }
}
