package dev.jitney.server.config;

import dev.jitney.model.AccessRule;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.TierProfile;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One namespace as the file declares it; what is null or empty is left to the server's options.
 *
 * @param accessRules the namespace's rules, or null for the root rule with the server's key
 * @param tier profile of limits and features, or null
 * @param expiryEnforcement when expired messages go, or null
 * @param throttling credits per second, 0 for no throttling, or null
 * @param limits quotas by name, see {@link LimitSettings}
 * @param queues queues to be there after the start
 * @param topics topics to be there after the start, with their subscriptions
 */
public record NamespaceConfig(
        String name,
        @Nullable List<AccessRule> accessRules,
        @Nullable TierProfile tier,
        @Nullable ExpiryEnforcement expiryEnforcement,
        @Nullable Integer throttling,
        Map<String, Long> limits,
        List<QueueConfig> queues,
        List<TopicConfig> topics) {

    public NamespaceConfig {
        accessRules = accessRules == null ? null : List.copyOf(accessRules);
        limits = Map.copyOf(limits);
        queues = List.copyOf(queues);
        topics = List.copyOf(topics);
    }

    /** A namespace that declares nothing. */
    public static NamespaceConfig named(String name) {
        return new NamespaceConfig(name, null, null, null, null, Map.of(), List.of(), List.of());
    }

    /** The same with other queues. */
    public NamespaceConfig withQueues(List<QueueConfig> other) {
        return new NamespaceConfig(name, accessRules, tier, expiryEnforcement, throttling, limits, other, topics);
    }
}
