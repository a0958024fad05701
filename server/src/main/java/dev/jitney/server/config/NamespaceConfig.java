package dev.jitney.server.config;

import dev.jitney.model.AccessRule;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Partitioning;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TransferFailureTarget;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One namespace as declared in the file. A null or empty setting comes from the server's options.
 *
 * @param accessRules the namespace's rules, or null for the root rule with the server's key
 * @param tier profile of limits and features, or null
 * @param expiryEnforcement the time at which expired messages are removed, or null
 * @param throttling credits per second, 0 for no throttling, or null
 * @param transferFailureTarget the destination of messages that cannot be forwarded, or null
 * @param deletionLock true if clients may not delete entities, or null
 * @param partitioningDefault the partitioning of queues and topics that do not specify it, or null
 * @param premiumPartitions partitions of each queue and topic in PREMIUM: 1, 2 or 4, or null
 * @param limits quotas by name, see {@link LimitSettings}
 * @param queues queues that exist after the start
 * @param topics topics that exist after the start, with their subscriptions
 */
public record NamespaceConfig(
        String name,
        @Nullable List<AccessRule> accessRules,
        @Nullable TierProfile tier,
        @Nullable ExpiryEnforcement expiryEnforcement,
        @Nullable Integer throttling,
        @Nullable TransferFailureTarget transferFailureTarget,
        @Nullable Boolean deletionLock,
        @Nullable PartitioningDefault partitioningDefault,
        @Nullable Integer premiumPartitions,
        Map<String, Long> limits,
        List<QueueConfig> queues,
        List<TopicConfig> topics) {

    public NamespaceConfig {
        accessRules = accessRules == null ? null : List.copyOf(accessRules);
        limits = Map.copyOf(limits);
        queues = List.copyOf(queues);
        topics = List.copyOf(topics);
    }

    /** Returns a namespace without declarations. */
    public static NamespaceConfig named(String name) {
        return declaring(name, List.of(), List.of());
    }

    /** Returns a namespace that declares only these entities. */
    static NamespaceConfig declaring(String name, List<QueueConfig> queues, List<TopicConfig> topics) {
        return new NamespaceConfig(name, null, null, null, null, null, null, null, null, Map.of(), queues, topics);
    }

    /** Returns whether it declares nothing but a tier, queues and topics. */
    public boolean declaresOnlyEntities() {
        return new NamespaceConfig(name, null, tier, null, null, null, null, null, null, Map.of(), queues, topics)
                .equals(this);
    }

    /** Returns a copy with other queues. */
    public NamespaceConfig withQueues(List<QueueConfig> other) {
        return declaring(other, topics);
    }

    /**
     * Returns a copy with the partitioning of a namespace of this tier. The partitioning applies to entities that do
     * not specify one, and in PREMIUM to all entities (PART-7).
     */
    public NamespaceConfig partitionedBy(Partitioning partitioning, TierProfile tier) {
        return declaring(
                queues.stream()
                        .map(queue -> queue.partitionedBy(partitioning, tier))
                        .toList(),
                topics.stream()
                        .map(topic -> topic.partitionedBy(partitioning, tier))
                        .toList());
    }

    private NamespaceConfig declaring(List<QueueConfig> otherQueues, List<TopicConfig> otherTopics) {
        return new NamespaceConfig(
                name,
                accessRules,
                tier,
                expiryEnforcement,
                throttling,
                transferFailureTarget,
                deletionLock,
                partitioningDefault,
                premiumPartitions,
                limits,
                otherQueues,
                otherTopics);
    }
}
