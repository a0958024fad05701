package dev.jitney.runtime;

import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.Limits;
import dev.jitney.model.Partitioning;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One namespace of the server: its rules and its entities. Any thread may call it.
 *
 * <p>Every change takes effect as a whole or not at all. It completes once it is durable, or fails with
 * {@link BrokerException}. Paths and names are compared without case and keep the case of their creation.
 */
public abstract class Namespace {

    /** For subclasses that serve namespaces. */
    protected Namespace() {}

    /** Returns the documents that operators leave in the store. */
    public abstract Documents documents();

    /** Returns the administrative actions that the store keeps. */
    public abstract AuditTrail auditTrail();

    /** The name as configured. */
    public abstract String name();

    /**
     * Returns whether the configuration contains the namespace. Any other namespace was created at run time, and can
     * be deleted at run time.
     */
    public boolean isConfigured() {
        return true;
    }

    /**
     * Returns whether the namespace has been deleted or is being deleted. Lookups no longer find it, and no entities
     * are created in it.
     */
    public boolean isGone() {
        return false;
    }

    /** Returns the time when the namespace was first served, in milliseconds since the epoch. */
    public abstract long createdAtMs();

    /** Returns the time of the last change of its authorization rules, in milliseconds since the epoch. */
    public abstract long modifiedAtMs();

    /** Returns the current shared access rules of the namespace. */
    public abstract List<AccessRule> accessRules();

    /**
     * Replaces the shared access rules. The new rules survive a restart, until the rules in the configuration itself
     * change.
     *
     * @param rules at least one of them with the Manage right, so that the namespace stays manageable
     */
    public abstract CompletionStage<Void> setAccessRules(List<AccessRule> rules);

    /**
     * Returns a number that changes when a shared access rule of the namespace or of one of its entities is added,
     * changed or removed. The number changes after the rules do: a caller that reads the number first and then the
     * rules sees the new rules with every new number. Cheap to call.
     */
    public abstract long accessVersion();

    /**
     * Returns whether any entity has its own rule with that name and that primary or secondary key (ENT-4). The call
     * takes the same time regardless of the number of entities that have rules of that name.
     */
    public abstract boolean hasEntityRule(String ruleName, String key);

    /**
     * Returns whether the namespace or any of its entities has a rule of that name, compared without case. The call
     * takes the same time regardless of the number of entities that have rules.
     */
    public boolean hasRuleNamed(String ruleName) {
        return accessRules().stream().anyMatch(rule -> rule.name().equalsIgnoreCase(ruleName));
    }

    /** Returns the quotas in force. */
    public abstract Limits limits();

    /**
     * Returns whether a cluster has applied the configuration of this namespace before, so that it must not be applied again
     * (CL-32). Always false on a single node, which applies its configuration at every start.
     */
    public boolean isConfigurationKnown() {
        return false;
    }

    /**
     * Records that the configuration of this namespace was applied. Does nothing on a single node.
     *
     * @return completes when that is durable
     */
    public CompletionStage<Void> recordConfiguration() {
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Returns the partitioning of its queues and topics. For a description that does not set the property,
     * {@link Partitioning#enabled} of null decides (PART-5).
     */
    public abstract Partitioning partitioning();

    /**
     * Returns the entity of that path, or null: a queue, a topic, or the subscription
     * {@code topic/Subscriptions/name}.
     */
    public abstract @Nullable Entity entity(String path);

    /** Returns all queues and topics ordered by name, without case. */
    public abstract List<Entity> entities();

    /** Returns the queues and topics whose paths begin with a prefix, in the same order. */
    public List<Entity> entitiesUnder(String prefix) {
        String key = EntityAddress.keyOf(prefix);
        return entities().stream()
                .filter(entity -> EntityAddress.keyOf(entity.path()).startsWith(key))
                .toList();
    }

    /**
     * Creates a queue. PREMIUM decides itself whether the queue is partitioned (PART-7); in other tiers the
     * description does.
     */
    public abstract CompletionStage<Entity> createQueue(QueueDescription description);

    /** Changes a queue. Fixed properties must keep their values (ENT-1). */
    public abstract CompletionStage<Entity> updateQueue(QueueDescription description);

    /**
     * Creates a topic. PREMIUM decides itself whether the topic is partitioned (PART-7); in other tiers the
     * description does.
     */
    public abstract CompletionStage<Entity> createTopic(TopicDescription description);

    /** Changes a topic. Fixed properties must keep their values (ENT-1). */
    public abstract CompletionStage<Entity> updateTopic(TopicDescription description);

    /**
     * Creates a subscription together with its first rule.
     *
     * @param rule {@link RuleDescription#takeEverything} by default, null for no rule at all
     */
    public abstract CompletionStage<Entity> createSubscription(
            SubscriptionDescription description, @Nullable RuleDescription rule);

    /** Changes a subscription. Fixed properties must keep their values (ENT-1). */
    public abstract CompletionStage<Entity> updateSubscription(SubscriptionDescription description);

    /** Adds a rule to a subscription. Completes with the subscription. */
    public abstract CompletionStage<Entity> createRule(String subscriptionPath, RuleDescription rule);

    /** Replaces the filter and action of a rule. Completes with the subscription. */
    public abstract CompletionStage<Entity> updateRule(String subscriptionPath, RuleDescription rule);

    /** Removes a rule. A subscription without rules receives no messages. */
    public abstract CompletionStage<Void> deleteRule(String subscriptionPath, String ruleName);

    /** Deletes an entity with all its messages; a topic also with its subscriptions and their rules (ENT-3). */
    public abstract CompletionStage<Void> deleteEntity(String path);

    /**
     * Begins a transaction. The transaction costs nothing before its first operation.
     *
     * @param client stands for the client, such as a connection. When memory is short, a transaction of the client with the largest
     *     transactions is rolled back for a client that holds less than its share.
     * @throws BrokerException with {@link dev.jitney.model.ErrorCode#NOT_IMPLEMENTED} in the BASIC tier (TX-22)
     */
    public abstract Transaction beginTransaction(Object client) throws BrokerException;

    /** Begins a transaction of a client that has no other. */
    public final Transaction beginTransaction() throws BrokerException {
        return beginTransaction(new Object());
    }

    /**
     * Returns the meter of all its entities, deleted ones included, and of calls to the namespace itself (MET-1 to
     * MET-3).
     */
    public abstract Meter meter();

    /**
     * Counts a management call that changed nothing, such as reading a description or a list. Changes are counted
     * elsewhere, when they are durable.
     *
     * @param entity the entity of the call, or null for a call about the namespace
     */
    public abstract void countCall(@Nullable Entity entity);

    /**
     * Returns the number of requests refused since the process started because no throttling credits were left
     * (THR-1).
     */
    public long throttledRequests() {
        return 0;
    }

    /**
     * Returns this namespace for the server's own work on entities, which costs neither throttling credits nor
     * operations (MET-1).
     */
    public Namespace unthrottled() {
        return this;
    }
}
