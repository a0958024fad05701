package dev.jitney.server.config;

import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.rule.RuleDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A subscription as declared in the file.
 *
 * @param where JSON path of the declaration
 * @param rules its rules, or null if the file has none; a new subscription then accepts all messages
 */
public record SubscriptionConfig(
        String where,
        String topic,
        String name,
        Settings<SubscriptionDescription> settings,
        @Nullable List<RuleConfig> rules)
        implements EntityConfig<SubscriptionDescription> {

    /**
     * A rule as declared in the file.
     *
     * @param where JSON path of the declaration
     */
    public record RuleConfig(String where, RuleDescription description) {}

    public SubscriptionConfig {
        rules = rules == null ? null : List.copyOf(rules);
    }

    @Override
    public String path() {
        return SubscriptionDescription.pathOf(topic, name);
    }

    @Override
    public SubscriptionDescription named() {
        return SubscriptionDescription.of(topic, name).build();
    }
}
