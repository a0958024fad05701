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
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One namespace of the server: its rules and its entities. Any thread may call it.
 *
 * <p>Every change completes once it is durable, or exceptionally with {@link BrokerException}; what was asked for is then
 * done as a whole or not at all. Paths and names are compared without case and keep the case of their creation.
 */
public abstract class Namespace {

    /** For those who serve namespaces. */
    protected Namespace() {}

    /** The name as configured. */
    public abstract String name();

    /** Whether the configuration names it; otherwise it was made at run time, and can be deleted at run time. */
    public boolean isConfigured() {
        return true;
    }

    /** Whether it has been deleted, or is being deleted: then nobody finds it any more, and nothing is created in it. */
    public boolean isGone() {
        return false;
    }

    /** When it was first served, milliseconds since the epoch. */
    public abstract long createdAtMs();

    /** When its authorization rules were last changed, milliseconds since the epoch. */
    public abstract long modifiedAtMs();

    /** Shared access rules of the namespace, in force now. */
    public abstract List<AccessRule> accessRules();

    /**
     * Puts other shared access rules into force. They outlive a restart, until the configuration itself names other rules
     * than it did before.
     *
     * @param rules at least one of them with the Manage right, so that nobody locks himself out
     */
    public abstract CompletionStage<Void> setAccessRules(List<AccessRule> rules);

    /**
     * A number that changes when a shared access rule of the namespace or of one of its entities is added, changed or
     * removed. It changes after the rules themselves: who reads the number first and then the rules sees, with a new
     * number, the new rules. Costs nothing.
     */
    public abstract long accessVersion();

    /**
     * Whether any entity has a rule of its own with that name and that key, primary or secondary (ENT-4). It takes the
     * same time however many entities have rules of that name.
     */
    public abstract boolean hasEntityRule(String ruleName, String key);

    /**
     * Whether the namespace itself or any of its entities has a rule of that name, compared without case. It takes the same
     * time however many entities have rules.
     */
    public boolean hasRuleNamed(String ruleName) {
        return accessRules().stream().anyMatch(rule -> rule.name().equalsIgnoreCase(ruleName));
    }

    /** The quotas in force. */
    public abstract Limits limits();

    /**
     * How its queues and topics are partitioned. Who creates one and says nothing about it gets what
     * {@link Partitioning#enabled} says of null (PART-5).
     */
    public abstract Partitioning partitioning();

    /** The entity of that path, or null: a queue, a topic, or the subscription {@code topic/Subscriptions/name}. */
    public abstract @Nullable Entity entity(String path);

    /** All queues and topics in the order of their names, compared without case. */
    public abstract List<Entity> entities();

    /** The queues and topics whose paths begin with a text, in the same order. */
    public List<Entity> entitiesUnder(String prefix) {
        String key = EntityAddress.keyOf(prefix);
        return entities().stream()
                .filter(entity -> EntityAddress.keyOf(entity.path()).startsWith(key))
                .toList();
    }

    /** Creates a queue; whether it is partitioned is PREMIUM's to decide (PART-7), otherwise the description's. */
    public abstract CompletionStage<Entity> createQueue(QueueDescription description);

    /** Changes a queue; fixed properties must be as they are (ENT-1). */
    public abstract CompletionStage<Entity> updateQueue(QueueDescription description);

    /** Creates a topic; whether it is partitioned is PREMIUM's to decide (PART-7), otherwise the description's. */
    public abstract CompletionStage<Entity> createTopic(TopicDescription description);

    /** Changes a topic; fixed properties must be as they are (ENT-1). */
    public abstract CompletionStage<Entity> updateTopic(TopicDescription description);

    /**
     * Creates a subscription together with its first rule.
     *
     * @param rule {@link RuleDescription#takeEverything} if nothing else is asked for, null for no rule at all
     */
    public abstract CompletionStage<Entity> createSubscription(
            SubscriptionDescription description, @Nullable RuleDescription rule);

    /** Changes a subscription; fixed properties must be as they are (ENT-1). */
    public abstract CompletionStage<Entity> updateSubscription(SubscriptionDescription description);

    /** Adds a rule to a subscription; completes with the subscription. */
    public abstract CompletionStage<Entity> createRule(String subscriptionPath, RuleDescription rule);

    /** Gives a rule another filter and action; completes with the subscription. */
    public abstract CompletionStage<Entity> updateRule(String subscriptionPath, RuleDescription rule);

    /** Removes a rule; without rules a subscription receives nothing. */
    public abstract CompletionStage<Void> deleteRule(String subscriptionPath, String ruleName);

    /** Deletes an entity with everything in it, a topic with its subscriptions and their rules (ENT-3). */
    public abstract CompletionStage<Void> deleteEntity(String path);

    /**
     * Begins a transaction; it costs nothing before its first operation.
     *
     * @throws BrokerException with {@link dev.jitney.model.ErrorCode#NOT_IMPLEMENTED} in the BASIC tier (TX-22)
     */
    public abstract Transaction beginTransaction() throws BrokerException;

    /** Operations and bytes of all its entities, deleted ones included, and calls to itself (MET-1 to MET-3). */
    public abstract Meter meter();

    /**
     * Counts a management call that changed nothing: a description told, a list. Changes are counted here when they are
     * durable.
     *
     * @param entity what it was about, or null if it was about the namespace
     */
    public abstract void countCall(@Nullable Entity entity);

    /** Requests refused for want of throttling credits since the process started (THR-1). */
    public long throttledRequests() {
        return 0;
    }

    /**
     * The same namespace for the server's own work on entities, which costs neither throttling credits nor
     * operations (MET-1).
     */
    public Namespace unthrottled() {
        return this;
    }
}
