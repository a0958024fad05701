package dev.jitney.runtime;

import dev.jitney.core.Reply;
import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.core.namespace.EntityRules;
import dev.jitney.core.namespace.FilterRules;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityNames;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Limits;
import dev.jitney.model.Partitioning;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.Rule;
import dev.jitney.model.RuleDescription;
import dev.jitney.model.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.rows.NamespaceRow;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Creates, changes and deletes the entities of one namespace. Everything about one name happens in the shard that owns it,
 * so that two changes never cross; a subscription belongs to the shard of its topic. Any thread may call it.
 */
final class EntityChanges {
    private final ServedNamespace namespace;
    private final Function<String, Shard> placement;
    private final PartitionedChanges partitioned;
    private final Throttle throttle;

    EntityChanges(
            ServedNamespace namespace,
            Function<String, Shard> placement,
            PartitionedChanges partitioned,
            Throttle throttle) {
        this.namespace = namespace;
        this.placement = placement;
        this.partitioned = partitioned;
        this.throttle = throttle;
    }

    EntityChanges throttledBy(Throttle other) {
        return new EntityChanges(namespace, placement, partitioned, other);
    }

    /** What the shard is to do; null to have it committed, or why not. */
    @FunctionalInterface
    private interface Change {
        @Nullable
        Rejection make(ShardWork shard);
    }

    /** Creates a queue or a topic, partitioned as the tier has it or as asked for (PART-5 to PART-7). */
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
        if (refusal != null) {
            return failed(refusal);
        }
        CompletableFuture<Entity> done = new CompletableFuture<>();
        ServedEntity[] created = new ServedEntity[1];
        Shard home = placement.apply(EntityAddress.keyOf(description.path()));
        submit(
                home,
                shard -> {
                    ServedEntity existing = namespace.named(description.path());
                    Rejection reason = existing != null ? exists(existing) : refuseMoreEntities(shard);
                    if (reason == null) {
                        reason = refuseMorePartitioned(description);
                    }
                    if (reason == null) {
                        // The name is taken at once, so that a second creation sees it.
                        created[0] = EntityRules.isPartitioned(description)
                                ? shard.reserve(template(description), row -> entity(home, row))
                                : shard.create(template(description), row -> entity(home, row));
                        created[0].list();
                    }
                    return reason;
                },
                () -> finish(created[0], EntityRules.isPartitioned(description), shard -> {}, done),
                done);
        return done;
    }

    /**
     * The last steps of a creation: a partitioned entity gets its fragments, and is there when all of them are.
     *
     * @param more what else belongs to it, done in its shard
     */
    private void finish(
            ServedEntity created, boolean hasFragments, Consumer<ShardWork> more, CompletableFuture<Entity> done) {
        if (!hasFragments) {
            done.complete(created);
            return;
        }
        Fragments fragments = new Fragments(created, namespace.partitioning().fragments(true, limits().tier()));
        created.partition(fragments);
        partitioned.createParts(created, fragments).whenComplete((made, failure) -> {
            if (failure != null) {
                created.unlist();
                done.completeExceptionally(failure.getCause() == null ? failure : failure.getCause());
                return;
            }
            CompletableFuture<Entity> added = new CompletableFuture<>();
            submit(
                    created.shard(),
                    shard -> {
                        shard.add(created);
                        more.accept(shard);
                        return null;
                    },
                    () -> added.complete(created),
                    added);
            added.whenComplete((entity, notAdded) -> {
                if (notAdded == null) {
                    done.complete(entity);
                } else { // whether it is there or not, the store of the whole decides when it works again
                    created.unlist();
                    PartitionedChanges.deleteParts(created);
                    done.completeExceptionally(notAdded);
                }
            });
        });
    }

    /** Creates a subscription with its first rule, if it is to have one. */
    CompletionStage<Entity> createSubscription(SubscriptionDescription requested, @Nullable RuleDescription rule) {
        if (!(namespace.named(requested.topicPath()) instanceof ServedTopic topic)) {
            return failed(notFound(requested.topicPath()));
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
            return failed(refusal);
        }
        boolean partitionedTopic = topic.fragments() != null;
        Rejection unavailable = PartitionedChanges.refuse(topic);
        if (unavailable != null) {
            return failed(unavailable);
        }
        CompletableFuture<Entity> done = new CompletableFuture<>();
        ServedSubscription[] created = new ServedSubscription[1];
        submit(
                topic.shard(),
                shard -> {
                    Rejection reason = refuseSubscription(shard, topic, description, rule);
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
                () -> finish(created[0], partitionedTopic, shard -> firstRule(shard, created[0], rule), done),
                done);
        return partitionedTopic
                ? done.thenCompose(entity -> followRules(created[0], rule == null ? "" : rule.name(), entity))
                : done;
    }

    private static void firstRule(ShardWork shard, ServedSubscription subscription, @Nullable RuleDescription rule) {
        if (rule != null) {
            shard.putRule(subscription, new Rule(rule, shard.nowMs()));
        }
    }

    /** Has the fragments of a subscription judge by a rule as it is now. */
    private static <T> CompletionStage<T> followRules(ServedSubscription whole, String name, T result) {
        if (whole.fragments() == null) {
            return CompletableFuture.completedFuture(result);
        }
        return PartitionedChanges.onAll(
                        whole,
                        (shard, part) -> shard.followRule((ServedSubscription) part, name, whole.durableRule(name)))
                .handle((done, failure) -> result); // a shard that starts anew reads the rules anew
    }

    /** Changes a queue, topic or subscription; its name keeps the case it was created in (MSG-9). */
    CompletionStage<Entity> update(EntityDescription requested) {
        Rejection busy = throttle.refuseManagement();
        if (busy != null) {
            return failed(busy);
        }
        ServedEntity entity = find(requested.path());
        if (entity == null) {
            Rejection subQueue = EntityNames.refuseSubQueue(requested.path());
            return failed(subQueue != null ? subQueue : notFound(requested.path()));
        }
        if (entity.kind() != requested.kind()) {
            return failed(exists(entity));
        }
        EntityDescription changed = EntityRules.withTierDefaults(named(entity, requested), limits());
        Rejection unreachable = EntityRules.refuseForwarding(changed, this::description);
        if (unreachable == null) {
            unreachable = PartitionedChanges.refuse(entity);
        }
        if (unreachable != null) {
            return failed(unreachable);
        }
        CompletableFuture<Entity> done = new CompletableFuture<>();
        submit(
                entity.shard(),
                shard -> {
                    if (!shard.entities().isServed(entity)) {
                        return notFound(requested.path());
                    }
                    Rejection reason = EntityRules.refuseUpdate(entity.latest().description(), changed, limits());
                    if (reason == null) {
                        shard.update(entity, changed);
                    }
                    return reason;
                },
                () -> done.complete(entity),
                done);
        return done.thenCompose(
                updated -> PartitionedChanges.onAll(entity, ShardWork::follow).handle((all, failure) -> updated));
    }

    CompletionStage<Void> delete(String path) {
        Rejection busy = throttle.refuseManagement();
        if (busy != null) {
            return failed(busy);
        }
        ServedEntity entity = find(path);
        if (entity == null) {
            Rejection subQueue = EntityNames.refuseSubQueue(path);
            return failed(subQueue != null ? subQueue : notFound(path));
        }
        if (namespace.options().deletionLocked()) { // IDLE-11
            return failed(new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "Entities of the namespace '" + namespace.name() + "' are locked against deletion, so '"
                            + entity.path() + "' is not deleted. Take the lock off the namespace first."));
        }
        Rejection unavailable = PartitionedChanges.refuse(entity);
        if (unavailable != null) {
            return failed(unavailable);
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        submit(
                entity.shard(),
                shard -> {
                    if (!shard.entities().isServed(entity)) {
                        return notFound(path);
                    }
                    shard.delete(entity);
                    return null;
                },
                () -> done.complete(null),
                done);
        return done.thenCompose(
                deleted -> PartitionedChanges.deleteParts(entity).handle((all, failure) -> deleted));
    }

    CompletionStage<Entity> createRule(String subscriptionPath, RuleDescription rule) {
        return changeRule(subscriptionPath, rule.name(), rule, (shard, subscription) -> {
            Rule existing = subscription.rule(rule.name());
            if (existing != null) {
                return new Rejection(
                        ErrorCode.ENTITY_EXISTS,
                        "The messaging entity '" + label(subscription) + "|"
                                + existing.description().name() + "' already exists.");
            }
            Rejection reason = refuseFilter(subscription.topic(), rule);
            if (reason == null) {
                shard.putRule(subscription, new Rule(rule, shard.nowMs()));
            }
            return reason;
        });
    }

    CompletionStage<Entity> updateRule(String subscriptionPath, RuleDescription rule) {
        return changeRule(subscriptionPath, rule.name(), rule, (shard, subscription) -> {
            Rule existing = subscription.rule(rule.name());
            if (existing == null) {
                return ruleNotFound(subscription, rule.name());
            }
            boolean otherKind = isCorrelation(existing.description()) != isCorrelation(rule);
            Rejection reason = otherKind ? refuseFilter(subscription.topic(), rule) : null;
            if (reason == null) {
                RuleDescription changed =
                        new RuleDescription(existing.description().name(), rule.filter(), rule.action());
                shard.putRule(subscription, new Rule(changed, existing.createdAtMs()));
            }
            return reason;
        });
    }

    CompletionStage<Void> deleteRule(String subscriptionPath, String name) {
        return changeRule(subscriptionPath, name, null, (shard, subscription) -> {
                    if (subscription.rule(name) == null) {
                        return ruleNotFound(subscription, name);
                    }
                    shard.deleteRule(subscription, name);
                    return null;
                })
                .thenApply(subscription -> null);
    }

    CompletionStage<Void> setAccessRules(List<AccessRule> rules) {
        Rejection refusal = throttle.refuseManagement();
        if (refusal == null) {
            refusal = EntityRules.refuseNamespaceRules(rules);
        }
        if (refusal != null) {
            return failed(refusal);
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        submit(
                placement.apply(""),
                shard -> {
                    NamespaceRow old = namespace.row();
                    shard.entities()
                            .putNamespace(
                                    namespace,
                                    new NamespaceRow(old.createdAtMs(), shard.nowMs(), old.configured(), rules));
                    return null;
                },
                () -> done.complete(null),
                done);
        return done;
    }

    /** What is done to a subscription that is there. */
    @FunctionalInterface
    private interface RuleChange {
        @Nullable
        Rejection make(ShardWork shard, ServedSubscription subscription);
    }

    private CompletionStage<Entity> changeRule(
            String path, String name, @Nullable RuleDescription rule, RuleChange change) {
        Rejection refusal = throttle.refuseManagement();
        if (refusal == null && rule != null) {
            refusal = FilterRules.refuse(rule, limits());
        }
        if (refusal != null) {
            return failed(refusal);
        }
        if (!(find(path) instanceof ServedSubscription subscription)) {
            return failed(notFound(path));
        }
        Rejection unavailable = PartitionedChanges.refuse(subscription);
        if (unavailable != null) {
            return failed(unavailable);
        }
        CompletableFuture<Entity> done = new CompletableFuture<>();
        submit(
                subscription.shard(),
                shard -> shard.entities().isServed(subscription) ? change.make(shard, subscription) : notFound(path),
                () -> done.complete(subscription),
                done);
        return done.thenCompose(changed -> followRules(subscription, name, changed));
    }

    // --- judgements in the shard ---

    /** PART-63. */
    private @Nullable Rejection refuseMorePartitioned(EntityDescription description) {
        if (!EntityRules.isPartitioned(description)) {
            return null;
        }
        int existing = (int) namespace.entities().stream()
                .filter(entity -> EntityRules.isPartitioned(entity.description()))
                .count();
        return Partitioning.refuseOneMore(existing, limits().maxPartitionedEntities());
    }

    private @Nullable Rejection refuseMoreEntities(ShardWork shard) {
        if (namespace.size() >= limits().maxEntities()) { // QUOTA-7
            return quota("Expected at most " + limits().maxEntities() + " entities in the namespace.");
        }
        return refuseMoreIds(shard);
    }

    private static @Nullable Rejection refuseMoreIds(ShardWork shard) {
        return shard.entities().hasIds() ? null : quota("The messaging store has no numbers left for new entities.");
    }

    private @Nullable Rejection refuseSubscription(
            ShardWork shard, ServedTopic topic, SubscriptionDescription description, @Nullable RuleDescription rule) {
        if (!shard.entities().isServed(topic)) {
            return notFound(topic.path());
        }
        ServedSubscription existing = topic.subscription(description.name());
        if (existing != null) {
            return exists(existing);
        }
        if (topic.allSubscriptions().size() >= limits().maxSubscriptions()) { // QUOTA-9
            return new Rejection(
                    ErrorCode.SUBSCRIPTIONS_EXCEEDED,
                    "Expected at most " + limits().maxSubscriptions() + " subscriptions of topic '" + topic.path()
                            + "'.");
        }
        Rejection refusal = refuseMoreIds(shard);
        return refusal != null || rule == null ? refusal : refuseFilter(topic, rule);
    }

    /** Counts the filters of a topic; true and false filters count as SQL (HTTP reference 2.7). */
    private @Nullable Rejection refuseFilter(ServedTopic topic, RuleDescription rule) {
        boolean correlation = isCorrelation(rule);
        int max = correlation ? limits().maxCorrelationFilters() : limits().maxSqlFilters();
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

    private static boolean isCorrelation(RuleDescription rule) {
        return rule.filter() instanceof CorrelationRuleFilter;
    }

    private static Rejection quota(String sentence) {
        return new Rejection(ErrorCode.QUOTA_EXCEEDED, sentence);
    }

    // --- names ---

    private Limits limits() {
        return namespace.limits();
    }

    private @Nullable ServedEntity find(String path) {
        return namespace.entity(path) instanceof ServedEntity entity ? entity : null;
    }

    private @Nullable EntityDescription description(String path) {
        Entity entity = namespace.entity(path);
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

    /** The description under the names the entity was created with. */
    private static EntityDescription named(ServedEntity entity, EntityDescription requested) {
        if (requested instanceof QueueDescription queue) {
            return queue.toBuilder().path(entity.path()).build();
        }
        if (requested instanceof TopicDescription topic) {
            return topic.toBuilder().path(entity.path()).build();
        }
        ServedSubscription subscription = (ServedSubscription) entity;
        return renamed((SubscriptionDescription) requested, subscription.topic().path(), subscription.name());
    }

    private static SubscriptionDescription under(ServedTopic topic, SubscriptionDescription requested) {
        return renamed(requested, topic.path(), requested.name());
    }

    private static SubscriptionDescription renamed(SubscriptionDescription d, String topicPath, String name) {
        return new SubscriptionDescription(
                topicPath,
                name,
                d.lockDurationMs(),
                d.requiresSession(),
                d.defaultMessageTimeToLiveMs(),
                d.deadLetteringOnMessageExpiration(),
                d.deadLetteringOnFilterEvaluationExceptions(),
                d.maxDeliveryCount(),
                d.enableBatchedOperations(),
                d.status(),
                d.forwardTo(),
                d.userMetadata(),
                d.forwardDeadLetteredMessagesTo(),
                d.autoDeleteOnIdleMs(),
                d.clientAffine());
    }

    /** How the service names an entity in error texts (HTTP reference 2.10). */
    private String label(ServedEntity entity) {
        if (entity instanceof ServedSubscription subscription) {
            return namespace.name() + ":Topic:" + subscription.topic().path() + "|" + subscription.name();
        }
        return namespace.name() + ":" + entity.kind().word() + ":" + entity.path();
    }

    private Rejection exists(ServedEntity entity) {
        return new Rejection(ErrorCode.ENTITY_EXISTS, "The messaging entity '" + label(entity) + "' already exists.");
    }

    private Rejection notFound(String path) {
        EntityAddress address = EntityAddress.parse("/" + path);
        return address.topic() != null && namespace.named(address.topic()) != null
                ? new Rejection(
                        ErrorCode.ENTITY_NOT_FOUND,
                        "Entity '" + namespace.name() + ":Topic:" + address.topic() + "|" + address.subscription()
                                + "' was not found.")
                : new Rejection(ErrorCode.ENTITY_NOT_FOUND, "The messaging entity '" + path + "' could not be found.");
    }

    private Rejection ruleNotFound(ServedSubscription subscription, String name) {
        return new Rejection(
                ErrorCode.ENTITY_NOT_FOUND, "Entity '" + label(subscription) + "|" + name + "' was not found.");
    }

    // --- the way to the shard and back ---

    private static <T> CompletionStage<T> failed(Rejection rejection) {
        return CompletableFuture.failedFuture(new BrokerException(rejection));
    }

    /** @param onDone called once the change is durable; {@code done} fails otherwise */
    private static void submit(Shard shard, Change change, Runnable onDone, CompletableFuture<?> done) {
        shard.mailbox().put(new Mailbox.Letter() {
            @Override
            public void open(ShardWork owner) {
                try {
                    Rejection refusal = change.make(owner);
                    if (refusal == null) {
                        owner.afterCommit(completing(onDone, done));
                    } else {
                        done.completeExceptionally(new BrokerException(refusal));
                    }
                } catch (RuntimeException e) {
                    done.completeExceptionally(new BrokerException(Rejection.of(ErrorCode.INTERNAL)));
                    throw e; // the shard starts anew from its store
                }
            }

            @Override
            public void refuse(Rejection reason) {
                done.completeExceptionally(new BrokerException(reason));
            }
        });
    }

    private static ReplyListener completing(Runnable onDone, CompletableFuture<?> done) {
        return new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                onDone.run();
            }

            @Override
            public void onRejected(Rejection rejection) {
                done.completeExceptionally(new BrokerException(rejection));
            }
        };
    }
}
