package dev.jitney.testkit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The settings of a subscription that a namespace begins with, and its rules. Not thread-safe. */
public final class SubscriptionDefinition extends ReceivableDefinition<SubscriptionDefinition> {
    private final List<Map<String, Object>> rules = new ArrayList<>();

    SubscriptionDefinition(String name) {
        super(name);
    }

    /** Adds a rule with an SQL filter, such as {@code cups > 2}. */
    public SubscriptionDefinition sql(String filter) {
        return rule("Sql", "SqlFilter", Map.of("SqlExpression", filter), null);
    }

    /** Adds a rule with an SQL filter and an action on the messages that it selects, such as {@code SET priority = 'high'}. */
    public SubscriptionDefinition sql(String filter, String action) {
        return rule("Sql", "SqlFilter", Map.of("SqlExpression", filter), action);
    }

    /** Adds a rule with a correlation filter, which compares properties: {@code correlation(c -> c.subject("tea"))}. */
    public SubscriptionDefinition correlation(Consumer<CorrelationFilter> conditions) {
        CorrelationFilter filter = new CorrelationFilter();
        conditions.accept(filter);
        return rule("Correlation", "CorrelationFilter", filter.toJson(), null);
    }

    private SubscriptionDefinition rule(
            String type, String member, Map<String, Object> filter, @Nullable String action) {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("FilterType", type);
        properties.put(member, filter);
        if (action != null) {
            properties.put("Action", Map.of("SqlExpression", action));
        }
        rules.add(Map.of("Name", "rule-" + (rules.size() + 1), "Properties", properties));
        return this;
    }

    @Override
    Map<String, Object> toJson() {
        Map<String, Object> json = super.toJson();
        if (!rules.isEmpty()) {
            json.put("Rules", List.copyOf(rules));
        }
        return json;
    }

    /** The conditions of a correlation filter. A message must satisfy all of them. Not thread-safe. */
    public static final class CorrelationFilter {
        private final Map<String, Object> conditions = new LinkedHashMap<>();
        private final Map<String, Object> properties = new LinkedHashMap<>();

        private CorrelationFilter() {}

        /** Requires this subject, which the emulator's file calls the label. */
        public CorrelationFilter subject(String value) {
            return condition("Label", value);
        }

        /** Requires this message id. */
        public CorrelationFilter messageId(String value) {
            return condition("MessageId", value);
        }

        /** Requires this correlation id. */
        public CorrelationFilter correlationId(String value) {
            return condition("CorrelationId", value);
        }

        /** Requires this session id. */
        public CorrelationFilter sessionId(String value) {
            return condition("SessionId", value);
        }

        /** Requires this destination. */
        public CorrelationFilter to(String value) {
            return condition("To", value);
        }

        /** Requires this address for replies. */
        public CorrelationFilter replyTo(String value) {
            return condition("ReplyTo", value);
        }

        /** Requires this session id for replies. */
        public CorrelationFilter replyToSessionId(String value) {
            return condition("ReplyToSessionId", value);
        }

        /** Requires this content type. */
        public CorrelationFilter contentType(String value) {
            return condition("ContentType", value);
        }

        /**
         * Requires this value of an application property.
         *
         * @param value a text, a number or a boolean
         */
        public CorrelationFilter property(String name, Object value) {
            properties.put(name, value);
            return this;
        }

        private CorrelationFilter condition(String name, String value) {
            conditions.put(name, value);
            return this;
        }

        private Map<String, Object> toJson() {
            Map<String, Object> json = new LinkedHashMap<>(conditions);
            if (!properties.isEmpty()) {
                json.put("Properties", properties);
            }
            return json;
        }
    }
}
