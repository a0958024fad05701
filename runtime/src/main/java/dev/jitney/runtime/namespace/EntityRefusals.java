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
 * The reasons why an entity of a namespace cannot be created, changed or deleted, in the words of the service. Reasons that depend on
 * the state of a shard are for its thread; any thread may ask for the others.
 */
final class EntityRefusals {
    private final EntityDirectory namespace;

    EntityRefusals(EntityDirectory namespace) {
        this.namespace = namespace;
    }

    /** The name is taken. */
    Rejection exists(ServedEntity entity) {
        return new Rejection(ErrorCode.ENTITY_EXISTS, "The messaging entity '" + label(entity) + "' already exists.");
    }

    /** There is no entity of that path. */
    Rejection notFound(String path) {
        EntityAddress address = EntityAddress.parse("/" + path);
        return address.topic() != null && namespace.named(address.topic()) != null
                ? new Rejection(
                        ErrorCode.ENTITY_NOT_FOUND,
                        "Entity '" + namespace.name() + ":Topic:" + address.topic() + "|" + address.subscription()
                                + "' was not found.")
                : new Rejection(ErrorCode.ENTITY_NOT_FOUND, "The messaging entity '" + path + "' could not be found.");
    }

    /** The subscription has a rule of that name. */
    Rejection ruleExists(ServedSubscription subscription, String name) {
        return new Rejection(
                ErrorCode.ENTITY_EXISTS,
                "The messaging entity '" + label(subscription) + "|" + name + "' already exists.");
    }

    /** The subscription has no such rule. */
    Rejection ruleNotFound(ServedSubscription subscription, String name) {
        return new Rejection(
                ErrorCode.ENTITY_NOT_FOUND, "Entity '" + label(subscription) + "|" + name + "' was not found.");
    }

    /** How the service names an entity in error texts (HTTP reference 2.10). */
    private String label(ServedEntity entity) {
        if (entity instanceof ServedSubscription subscription) {
            return namespace.name() + ":Topic:" + subscription.topic().path() + "|" + subscription.name();
        }
        return namespace.name() + ":" + entity.kind().word() + ":" + entity.path();
    }

    /** Whether the namespace and the store take one more queue or topic. */
    @Nullable
    Rejection refuseMoreEntities(EntityLifecycle shard) {
        if (namespace.size() >= namespace.limits().maxEntities()) { // QUOTA-7
            return quota("Expected at most " + namespace.limits().maxEntities() + " entities in the namespace.");
        }
        return refuseMoreIds(shard);
    }

    /** Whether the namespace takes one more partitioned entity, if it is one (PART-63). */
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

    /** Whether a topic takes one more subscription with that rule. */
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
                            + topic.path() + "'.");
        }
        Rejection refusal = refuseMoreIds(shard);
        return refusal != null || rule == null ? refusal : refuseFilter(topic, rule);
    }

    /** Counts the filters of a topic; true and false filters count as SQL (HTTP reference 2.7). */
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
                                + topic.path() + "'.");
    }

    /** Whether it counts among the correlation filters. */
    static boolean isCorrelation(RuleDescription rule) {
        return rule.filter() instanceof CorrelationRuleFilter;
    }

    private static @Nullable Rejection refuseMoreIds(EntityLifecycle shard) {
        return shard.entities().hasIds() ? null : quota("The messaging store has no numbers left for new entities.");
    }

    private static Rejection quota(String sentence) {
        return new Rejection(ErrorCode.QUOTA_EXCEEDED, sentence);
    }
}
