package dev.jitney.runtime.namespace;

import dev.jitney.core.namespace.FilterRules;
import dev.jitney.model.Rejection;
import dev.jitney.model.rule.Rule;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.shard.ChangeTask;
import dev.jitney.runtime.shard.EntityLifecycle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Creates, changes and deletes the rules of subscriptions, in the shard of the topic whose messages they filter. The
 * fragments of a partitioned subscription follow. Any thread may call it.
 */
final class RuleChanges {
    private final EntityDirectory namespace;
    private final EntityRefusals refusals;
    private final Throttle throttle;

    RuleChanges(EntityDirectory namespace, Throttle throttle) {
        this.namespace = namespace;
        this.refusals = new EntityRefusals(namespace);
        this.throttle = throttle;
    }

    CompletionStage<Entity> create(String subscriptionPath, RuleDescription rule) {
        return change(subscriptionPath, rule.name(), rule, (shard, subscription) -> {
            Rule existing = subscription.rule(rule.name());
            if (existing != null) {
                return refusals.ruleExists(subscription, existing.description().name());
            }
            Rejection reason = refusals.refuseFilter(subscription.topic(), rule);
            if (reason == null) {
                shard.putRule(subscription, new Rule(rule, shard.nowMs()));
            }
            return reason;
        });
    }

    CompletionStage<Entity> update(String subscriptionPath, RuleDescription rule) {
        return change(subscriptionPath, rule.name(), rule, (shard, subscription) -> {
            Rule existing = subscription.rule(rule.name());
            if (existing == null) {
                return refusals.ruleNotFound(subscription, rule.name());
            }
            boolean otherKind =
                    EntityRefusals.isCorrelation(existing.description()) != EntityRefusals.isCorrelation(rule);
            Rejection reason = otherKind ? refusals.refuseFilter(subscription.topic(), rule) : null;
            if (reason == null) {
                RuleDescription changed =
                        new RuleDescription(existing.description().name(), rule.filter(), rule.action());
                shard.putRule(subscription, new Rule(changed, existing.createdAtMs()));
            }
            return reason;
        });
    }

    CompletionStage<Void> delete(String subscriptionPath, String name) {
        return change(subscriptionPath, name, null, (shard, subscription) -> {
                    if (subscription.rule(name) == null) {
                        return refusals.ruleNotFound(subscription, name);
                    }
                    shard.deleteRule(subscription, name);
                    return null;
                })
                .thenApply(subscription -> null);
    }

    /** A change of an existing subscription. */
    @FunctionalInterface
    private interface Change {
        @Nullable
        Rejection make(EntityLifecycle shard, ServedSubscription subscription);
    }

    private CompletionStage<Entity> change(String path, String name, @Nullable RuleDescription rule, Change change) {
        Rejection refusal = throttle.refuseManagement();
        if (refusal == null && rule != null) {
            refusal = FilterRules.refuse(rule, namespace.limits());
        }
        if (refusal != null) {
            return BrokerException.failed(refusal);
        }
        if (!(namespace.find(path) instanceof ServedSubscription subscription)) {
            return BrokerException.failed(refusals.notFound(path));
        }
        Rejection unavailable = PartitionedChanges.refuse(subscription);
        if (unavailable != null) {
            return BrokerException.failed(unavailable);
        }
        CompletableFuture<Entity> done = new CompletableFuture<>();
        ChangeTask.send(
                subscription.shard(),
                shard -> shard.entities().isServed(subscription)
                        ? change.make(shard, subscription)
                        : refusals.notFound(path),
                () -> done.complete(subscription),
                done);
        return done.thenCompose(changed -> follow(subscription, name, changed));
    }

    /** Applies a rule of a partitioned subscription to its fragments. */
    static <T> CompletionStage<T> follow(ServedSubscription whole, String name, T result) {
        if (whole.fragments() == null) {
            return CompletableFuture.completedFuture(result);
        }
        return PartitionedChanges.onAll(
                        whole,
                        (shard, part) -> shard.followRule((ServedSubscription) part, name, whole.durableRule(name)))
                .handle((done, failure) -> result); // a shard that restarts reads the rules again
    }
}
