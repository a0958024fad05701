package dev.jitney.runtime.namespace;

import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.core.namespace.EntityRules;
import dev.jitney.core.namespace.FilterRules;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityNames;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Limits;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.Rule;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.rows.ConfigurationsRow;
import dev.jitney.runtime.rows.NamespaceRow;
import dev.jitney.runtime.shard.ChangeTask;
import dev.jitney.runtime.shard.EntityLifecycle;
import dev.jitney.runtime.shard.Shard;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Creates, changes and deletes the entities of one namespace. The shard that owns a name makes all changes to it, so
 * that two changes never run at the same time. A subscription belongs to the shard of its topic. Any thread may call
 * it.
 */
final class EntityChanges {
    private final EntityDirectory namespace;
    private final Function<String, Shard> placement;
    private final PartitionedChanges partitioned;
    private final EntityRefusals refusals;
    private final RuleChanges rules;
    private final Throttle throttle;

    EntityChanges(
            EntityDirectory namespace,
            Function<String, Shard> placement,
            PartitionedChanges partitioned,
            Throttle throttle) {
        this.namespace = namespace;
        this.placement = placement;
        this.partitioned = partitioned;
        this.refusals = new EntityRefusals(namespace);
        this.rules = new RuleChanges(namespace, throttle);
        this.throttle = throttle;
    }

    /** Returns the changes of subscription rules. */
    RuleChanges rules() {
        return rules;
    }

    EntityChanges throttledBy(Throttle other) {
        return new EntityChanges(namespace, placement, partitioned, other);
    }

    /** Creates a queue or a topic, partitioned as the tier or the description requires (PART-5 to PART-7). */
    CompletionStage<Entity> create(EntityDescription requested) {
        EntityDescription description = EntityRules.withTierDefaults(
                EntityRules.partitioned(requested, namespace.partitioning(), limits()), limits());
        Rejection refusal = throttle.refuseManagement();
        if (refusal == null) {
            refusal = EntityRules.refusePartitioning(requested, namespace.partitioning(), limits());
        }
        if (refusal == null) {
            refusal = EntityRules.refuseCreation(description, limits(), this::description);
        }
        if (refusal == null) {
            refusal = namespace.options().keyPolicy().refuse(description.accessRules());
        }
        if (refusal != null) {
            return BrokerException.failed(refusal);
        }
        CompletableFuture<Entity> done = new CompletableFuture<>();
        ServedEntity[] created = new ServedEntity[1];
        Shard home = placement.apply(EntityAddress.keyOf(description.path()));
        ChangeTask.send(
                home,
                shard -> {
                    Rejection gone = refuseGone();
                    if (gone != null) {
                        return gone;
                    }
                    ServedEntity existing = namespace.named(description.path());
                    Rejection reason =
                            existing != null ? refusals.exists(existing) : refusals.refuseMoreEntities(shard);
                    if (reason == null) {
                        reason = refusals.refuseMorePartitioned(description);
                    }
                    if (reason == null) {
                        // The name is reserved immediately, so that a second creation finds it.
                        created[0] = EntityRules.isPartitioned(description)
                                ? shard.reserve(template(description), row -> entity(home, row))
                                : shard.create(template(description), row -> entity(home, row));
                        created[0].list();
                    }
                    return reason;
                },
                () -> finish(created[0], EntityRules.isPartitioned(description), shard -> add(shard, created[0]), done),
                done);
        return reserved(created, EntityRules.isPartitioned(description), done);
    }

    private @Nullable Rejection add(EntityLifecycle shard, ServedEntity created) {
        Rejection gone = refuseGone();
        if (gone == null) {
            shard.add(created);
        }
        return gone;
    }

    /** Returns a refusal if the namespace is being deleted, or null. For the thread of a shard. */
    private @Nullable Rejection refuseGone() {
        return namespace.isGone()
                ? new Rejection(ErrorCode.ENTITY_NOT_FOUND, "The namespace '" + namespace.name() + "' was deleted.")
                : null;
    }

    /** Releases the name of an entity that is created in several steps if the first step fails. */
    private static CompletionStage<Entity> reserved(
            ServedEntity[] created, boolean hasFragments, CompletableFuture<Entity> done) {
        return !hasFragments
                ? done
                : done.whenComplete((entity, failure) -> {
                    if (created[0] != null && created[0].fragments() == null) {
                        created[0].unlist();
                    }
                });
    }

    /**
     * Completes a creation: a partitioned entity gets its fragments, and exists once all of them do.
     *
     * @param adding adds the entity and its rules in its shard, unless the namespace or topic has been deleted
     *               meanwhile
     */
    private void finish(
            ServedEntity created, boolean hasFragments, ChangeTask.Change adding, CompletableFuture<Entity> done) {
        if (!hasFragments) {
            done.complete(created);
            return;
        }
        Partitions fragments =
                partitioned.partition(created, namespace.partitioning().fragments(true, limits().tier()));
        partitioned.createParts(created, fragments).whenComplete((made, failure) -> {
            if (failure != null) {
                done.completeExceptionally(failure.getCause() == null ? failure : failure.getCause());
                return;
            }
            CompletableFuture<Entity> added = new CompletableFuture<>();
            boolean[] begun = new boolean[1];
            ChangeTask.send(
                    created.shard(),
                    shard -> {
                        Rejection refusal = adding.make(shard);
                        begun[0] = refusal == null;
                        return refusal;
                    },
                    () -> added.complete(created),
                    added);
            added.whenComplete((entity, notAdded) -> {
                if (notAdded == null) {
                    done.complete(entity);
                    return;
                }
                if (!begun[0]) { // otherwise the store of the whole decides later whether it exists
                    created.unlist();
                    PartitionedChanges.deleteParts(created);
                }
                done.completeExceptionally(notAdded);
            });
        });
    }

    /** Creates a subscription with its first rule, if there is one. */
    CompletionStage<Entity> createSubscription(SubscriptionDescription requested, @Nullable RuleDescription rule) {
        if (!(namespace.named(requested.topicPath()) instanceof ServedTopic topic)) {
            return BrokerException.failed(refusals.notFound(requested.topicPath()));
        }
        SubscriptionDescription description =
                (SubscriptionDescription) EntityRules.withTierDefaults(under(topic, requested), limits());
        Rejection refusal = throttle.refuseManagement();
        if (refusal == null) {
            refusal = EntityRules.refuseCreation(description, limits(), this::description);
        }
        if (refusal == null && rule != null) {
            refusal = FilterRules.refuse(rule, limits());
        }
        if (refusal != null) {
            return BrokerException.failed(refusal);
        }
        boolean partitionedTopic =
                EntityRules.isPartitioned(topic.description()); // a topic that is still being created has no fragments
        Rejection unavailable = PartitionedChanges.refuse(topic);
        if (unavailable != null) {
            return BrokerException.failed(unavailable);
        }
        CompletableFuture<Entity> done = new CompletableFuture<>();
        ServedSubscription[] created = new ServedSubscription[1];
        ChangeTask.send(
                topic.shard(),
                shard -> {
                    Rejection reason = refusals.refuseSubscription(shard, topic, description, rule);
                    if (reason == null) {
                        Function<EntityRow, ServedSubscription> factory =
                                row -> new ServedSubscription(topic.shard(), row, namespace, topic);
                        created[0] = partitionedTopic
                                ? shard.reserve(template(description), factory)
                                : shard.create(template(description), factory);
                        created[0].list();
                        if (rule != null && !partitionedTopic) {
                            shard.putRule(created[0], new Rule(rule, shard.nowMs()));
                        }
                    }
                    return reason;
                },
                () -> finish(
                        created[0], partitionedTopic, shard -> addSubscription(shard, topic, created[0], rule), done),
                done);
        CompletionStage<Entity> made = reserved(created, partitionedTopic, done);
        return partitionedTopic
                ? made.thenCompose(entity -> RuleChanges.follow(created[0], rule == null ? "" : rule.name(), entity))
                : made;
    }

    /** Adds a subscription that has its fragments, unless its topic has been deleted meanwhile. */
    private @Nullable Rejection addSubscription(
            EntityLifecycle shard, ServedTopic topic, ServedSubscription subscription, @Nullable RuleDescription rule) {
        if (!shard.entities().isServed(topic)) {
            return refusals.notFound(topic.path());
        }
        Rejection damaged = shard.damaged().refusal(topic);
        if (damaged != null) {
            return damaged;
        }
        shard.add(subscription);
        if (rule != null) {
            shard.putRule(subscription, new Rule(rule, shard.nowMs()));
        }
        return null;
    }

    /** Changes a queue, topic or subscription. The name keeps the case of its creation (MSG-9). */
    CompletionStage<Entity> update(EntityDescription requested) {
        Rejection busy = throttle.refuseManagement();
        if (busy != null) {
            return BrokerException.failed(busy);
        }
        ServedEntity entity = find(requested.path());
        if (entity == null) {
            Rejection subQueue = EntityNames.refuseSubQueue(requested.path());
            return BrokerException.failed(subQueue != null ? subQueue : refusals.notFound(requested.path()));
        }
        if (entity.kind() != requested.kind()) {
            return BrokerException.failed(refusals.exists(entity));
        }
        EntityDescription changed = EntityRules.withTierDefaults(named(entity, requested), limits());
        Rejection unreachable = EntityRules.refuseForwarding(changed, this::description);
        if (unreachable == null) {
            unreachable = PartitionedChanges.refuse(entity);
        }
        if (unreachable == null) {
            unreachable = namespace.options().keyPolicy().refuse(changed.accessRules());
        }
        if (unreachable != null) {
            return BrokerException.failed(unreachable);
        }
        CompletableFuture<Entity> done = new CompletableFuture<>();
        ChangeTask.send(
                entity.shard(),
                shard -> {
                    if (!shard.entities().isServed(entity)) {
                        return refusals.notFound(requested.path());
                    }
                    Rejection reason = EntityRules.refuseUpdate(entity.latest().description(), changed, limits());
                    if (reason == null) {
                        shard.update(entity, changed);
                    }
                    return reason;
                },
                () -> done.complete(entity),
                done);
        return done.thenCompose(updated -> PartitionedChanges.onAll(entity, (shard, part) -> shard.follow(part))
                .handle((all, failure) -> updated));
    }

    CompletionStage<Void> delete(String path) {
        Rejection busy = throttle.refuseManagement();
        if (busy != null) {
            return BrokerException.failed(busy);
        }
        ServedEntity entity = find(path);
        if (entity == null) {
            Rejection subQueue = EntityNames.refuseSubQueue(path);
            return BrokerException.failed(subQueue != null ? subQueue : refusals.notFound(path));
        }
        if (namespace.options().deletionLocked()) { // IDLE-11
            return BrokerException.failed(new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "Entities of the namespace '" + namespace.name() + "' are locked against deletion, so '"
                            + entity.path() + "' was not deleted. Remove the deletion lock of the namespace first."));
        }
        Rejection unavailable = PartitionedChanges.refuse(entity);
        if (unavailable != null) {
            return BrokerException.failed(unavailable);
        }
        return remove(entity, refusals.notFound(path));
    }

    /** Deletes a queue or topic of a namespace that is being deleted. */
    CompletionStage<Void> drop(ServedEntity entity) {
        Rejection unavailable = PartitionedChanges.refuse(entity);
        return unavailable == null ? remove(entity, null) : BrokerException.failed(unavailable);
    }

    /** @param notFound the refusal if the entity does not exist any more; null to ignore that */
    private CompletionStage<Void> remove(ServedEntity entity, @Nullable Rejection notFound) {
        return ChangeTask.send(entity.shard(), shard -> {
                    if (!shard.entities().isServed(entity)) {
                        return notFound;
                    }
                    if (entity instanceof ServedSubscription) { // it shares message bodies within its topic
                        Rejection damaged = shard.damaged().refusal(entity);
                        if (damaged != null) {
                            return damaged;
                        }
                    }
                    shard.delete(entity);
                    return null;
                })
                .thenCompose(deleted -> PartitionedChanges.deleteParts(entity).handle((all, failure) -> deleted));
    }

    CompletionStage<Void> setAccessRules(List<AccessRule> accessRules) {
        Rejection refusal = throttle.refuseManagement();
        if (refusal == null) {
            refusal = EntityRules.refuseNamespaceRules(accessRules);
        }
        if (refusal == null) {
            refusal = namespace.options().keyPolicy().refuse(accessRules);
        }
        if (refusal != null) {
            return BrokerException.failed(refusal);
        }
        return ChangeTask.send(placement.apply(""), shard -> {
            Rejection gone = refuseGone();
            if (gone != null) {
                return gone;
            }
            NamespaceRow old = namespace.row();
            NamespaceRow changed = new NamespaceRow(old.createdAtMs(), shard.nowMs(), old.configured(), accessRules);
            shard.entities().putNamespace(namespace.name(), changed, () -> namespace.settle(changed));
            return null;
        });
    }

    /** Records that the configuration of the namespace was applied (CL-32). */
    CompletionStage<Void> recordConfiguration() {
        String configuration = namespace.options().configuration();
        if (configuration == null) {
            return CompletableFuture.completedFuture(null);
        }
        return ChangeTask.send(placement.apply(""), shard -> {
            ConfigurationsRow before = shard.entities().configurations(namespace.name());
            shard.entities().putConfigurations(namespace.name(), before.with(configuration));
            namespace.configurationKnown(true);
            return null;
        });
    }

    // --- names ---

    private Limits limits() {
        return namespace.limits();
    }

    private @Nullable ServedEntity find(String path) {
        return namespace.find(path);
    }

    private @Nullable EntityDescription description(String path) {
        Entity entity = namespace.find(path);
        return entity == null ? null : entity.description();
    }

    private EntityRow template(EntityDescription description) {
        return new EntityRow(0, namespace.name(), description, 0, 0);
    }

    private ServedEntity entity(Shard shard, EntityRow row) {
        return row.description() instanceof QueueDescription
                ? new ServedQueue(shard, row, namespace)
                : new ServedTopic(shard, row, namespace);
    }

    /** Returns the description with the name in the case of the entity's creation. */
    private static EntityDescription named(ServedEntity entity, EntityDescription requested) {
        if (requested instanceof QueueDescription queue) {
            return queue.toBuilder().path(entity.path()).build();
        }
        if (requested instanceof TopicDescription topic) {
            return topic.toBuilder().path(entity.path()).build();
        }
        ServedSubscription subscription = (ServedSubscription) entity;
        return ((SubscriptionDescription) requested)
                .toBuilder()
                        .names(subscription.topic().path(), subscription.name())
                        .build();
    }

    private static SubscriptionDescription under(ServedTopic topic, SubscriptionDescription requested) {
        return requested.toBuilder().names(topic.path(), requested.name()).build();
    }
}
