package dev.jitney.runtime.namespace;

import dev.jitney.core.namespace.EntityRules;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Partitioning;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.runtime.shard.EntityLifecycle;
import org.jspecify.annotations.Nullable;

/**
 * The refusals of creations, changes and deletions of entities, in the words of Azure Service Bus. Methods that read
 * the state of a shard are for its thread; any thread may call the others.
 */
final class EntityRefusals {
    private final EntityDirectory namespace;

    EntityRefusals(EntityDirectory namespace) {
        this.namespace = namespace;
    }

    /** Returns the refusal of a name that is already used. */
    Rejection exists(ServedEntity entity) {
        return new Rejection(ErrorCode.ENTITY_EXISTS, "The messaging entity '" + label(entity) + "' already exists.");
    }

    /** Returns the refusal of a path that does not exist. */
    Rejection notFound(String path) {
        EntityAddress address = EntityAddress.parse("/" + path);
        return address.topic() != null && namespace.named(address.topic()) != null
                ? new Rejection(
                        ErrorCode.ENTITY_NOT_FOUND,
                        "Entity '" + namespace.name() + ":Topic:" + address.topic() + "|" + address.subscription()
                                + "' was not found.")
                : new Rejection(ErrorCode.ENTITY_NOT_FOUND, "The messaging entity '" + path + "' could not be found.");
    }

    /** Returns the refusal of a rule whose name the subscription already has. */
    Rejection ruleExists(ServedSubscription subscription, String name) {
        return new Rejection(
                ErrorCode.ENTITY_EXISTS,
                "The messaging entity '" + label(subscription) + "|" + name + "' already exists.");
    }

    /** Returns the refusal of a rule that the subscription does not have. */
    Rejection ruleNotFound(ServedSubscription subscription, String name) {
        return new Rejection(
                ErrorCode.ENTITY_NOT_FOUND, "Entity '" + label(subscription) + "|" + name + "' was not found.");
    }

    /** Returns the name of an entity as Azure Service Bus writes it in error texts (HTTP reference 2.10). */
    private String label(ServedEntity entity) {
        if (entity instanceof ServedSubscription subscription) {
            return namespace.name() + ":Topic:" + subscription.topic().path() + "|" + subscription.name();
        }
        return namespace.name() + ":" + entity.kind().word() + ":" + entity.path();
    }

    /** Returns a refusal if the namespace or the store cannot take another queue or topic. */
    @Nullable
    Rejection refuseMoreEntities(EntityLifecycle shard) {
        if (namespace.size() >= namespace.limits().maxEntities()) { // QUOTA-7
            return quota("Expected at most " + namespace.limits().maxEntities()
                    + " entities in the namespace, but this is one more. Delete one that is not needed.");
        }
        return refuseMoreIds(shard);
    }

    /**
     * Returns a refusal if the description is partitioned and the namespace cannot take another partitioned entity
     * (PART-63).
     */
    @Nullable
    Rejection refuseMorePartitioned(EntityDescription description) {
        if (!EntityRules.isPartitioned(description)) {
            return null;
        }
        int existing = (int) namespace.known().stream()
                .filter(entity -> EntityRules.isPartitioned(entity.description()))
                .count();
        return Partitioning.refuseOneMore(existing, namespace.limits().maxPartitionedEntities());
    }

    /** Returns a refusal if a topic cannot take another subscription with that rule. */
    @Nullable
    Rejection refuseSubscription(
            EntityLifecycle shard,
            ServedTopic topic,
            SubscriptionDescription description,
            @Nullable RuleDescription rule) {
        if (!shard.entities().isServed(topic)) {
            return notFound(topic.path());
        }
        Rejection damaged = shard.damaged().refusal(topic);
        if (damaged != null) {
            return damaged;
        }
        ServedSubscription existing = topic.subscription(description.name());
        if (existing != null) {
            return exists(existing);
        }
        if (topic.allSubscriptions().size() >= namespace.limits().maxSubscriptions()) { // QUOTA-9
            return new Rejection(
                    ErrorCode.SUBSCRIPTIONS_EXCEEDED,
                    "Expected at most " + namespace.limits().maxSubscriptions() + " subscriptions of topic '"
                            + topic.path() + "', but this is one more. Delete one that is not needed.");
        }
        Rejection refusal = refuseMoreIds(shard);
        return refusal != null || rule == null ? refusal : refuseFilter(topic, rule);
    }

    /**
     * Returns a refusal if a topic has too many filters; true and false filters count as SQL filters (HTTP reference
     * 2.7).
     */
    @Nullable
    Rejection refuseFilter(ServedTopic topic, RuleDescription rule) {
        boolean correlation = isCorrelation(rule);
        int max = correlation
                ? namespace.limits().maxCorrelationFilters()
                : namespace.limits().maxSqlFilters();
        int count = 0;
        for (ServedSubscription subscription : topic.allSubscriptions()) {
            count += subscription.ruleCount(correlation);
        }
        return count < max
                ? null
                : new Rejection(
                        correlation ? ErrorCode.CORRELATION_FILTERS_EXCEEDED : ErrorCode.SQL_FILTERS_EXCEEDED,
                        "Expected at most " + max + (correlation ? " correlation" : " SQL") + " filters of topic '"
                                + topic.path() + "', but this is one more. Delete a rule that is not needed.");
    }

    /** Returns whether the rule counts as a correlation filter. */
    static boolean isCorrelation(RuleDescription rule) {
        return rule.filter() instanceof CorrelationRuleFilter;
    }

    private static @Nullable Rejection refuseMoreIds(EntityLifecycle shard) {
        return shard.entities().hasIds() ? null : quota("The messaging store has no ids left for new entities.");
    }

    private static Rejection quota(String sentence) {
        return new Rejection(ErrorCode.QUOTA_EXCEEDED, sentence);
    }
}
