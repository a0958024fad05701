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
 * One namespace as the file declares it; what is null or empty is left to the server's options.
 *
 * @param accessRules the namespace's rules, or null for the root rule with the server's key
 * @param tier profile of limits and features, or null
 * @param expiryEnforcement when expired messages go, or null
 * @param throttling credits per second, 0 for no throttling, or null
 * @param transferFailureTarget where messages go that cannot be forwarded, or null
 * @param deletionLock whether clients may not delete entities, or null
 * @param partitioningDefault whether queues and topics are partitioned that say nothing about it, or null
 * @param premiumPartitions partitions of each queue and topic in PREMIUM: 1, 2 or 4, or null
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

    /** A namespace that declares nothing. */
    public static NamespaceConfig named(String name) {
        return declaring(name, List.of(), List.of());
    }

    /** A namespace that declares what is in it, and nothing else. */
    static NamespaceConfig declaring(String name, List<QueueConfig> queues, List<TopicConfig> topics) {
        return new NamespaceConfig(name, null, null, null, null, null, null, null, null, Map.of(), queues, topics);
    }

    /** The same with other queues. */
    public NamespaceConfig withQueues(List<QueueConfig> other) {
        return declaring(other, topics);
    }

    /** The same where a namespace of this tier partitions what says nothing, and heeds nothing else in PREMIUM (PART-7). */
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
