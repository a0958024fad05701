package dev.jitney.model.rule;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Which messages a rule matches (semantics chapter 15; HTTP reference 2.7). Values without judgement. */
public sealed interface RuleFilter {

    /** Matches every message. */
    record TrueRuleFilter() implements RuleFilter {
        public static final TrueRuleFilter INSTANCE = new TrueRuleFilter();
    }

    /** Matches no message. */
    record FalseRuleFilter() implements RuleFilter {
        public static final FalseRuleFilter INSTANCE = new FalseRuleFilter();
    }

    /**
     * Matches what a condition in the SQL-like language says.
     *
     * @param expression at most 1,024 characters
     * @param parameters values for names in the expression such as {@code @limit}, in the order given
     */
    record SqlRuleFilter(String expression, Map<String, RuleValue> parameters) implements RuleFilter {
        public SqlRuleFilter {
            Objects.requireNonNull(expression, "expression");
            parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
        }
    }

    /**
     * Matches messages whose properties equal all the given ones; what is null is not compared.
     *
     * @param label the message's subject
     * @param properties application properties, in the order given
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

        /** Whether nothing is compared, which is not allowed. */
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
