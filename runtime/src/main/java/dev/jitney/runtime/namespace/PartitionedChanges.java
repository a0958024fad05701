package dev.jitney.runtime.namespace;

import dev.jitney.model.EntityDescription;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.model.rule.Rule;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.shard.ChangeTask;
import dev.jitney.runtime.shard.EntityLifecycle;
import dev.jitney.runtime.shard.Shard;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries changes of a partitioned entity over to its fragments, in all their shards (PART-56). The row of the whole, in its own
 * shard, decides: fragments are made before it and deleted after it, and follow its description. What is interrupted is
 * completed or taken back when the shard works again. Any thread may call it.
 */
public final class PartitionedChanges {
    private final Supplier<List<Shard>> shards;
    private final Partitions.Factory factory;

    /** @param shards all of them, as soon as there are any */
    public PartitionedChanges(Supplier<List<Shard>> shards, Partitions.Factory factory) {
        this.shards = shards;
        this.factory = factory;
    }

    /** Makes an entity a partitioned one, before anybody knows of it; its fragments are to be made or found. */
    public Partitions partition(ServedEntity whole, int count) {
        Partitions fragments = factory.create(whole, count);
        whole.partition(fragments);
        return fragments;
    }

    /** Why an entity cannot be changed now, or null: a fragment is not available. */
    static @Nullable Rejection refuse(ServedEntity whole) {
        Partitions fragments = whole.fragments();
        return fragments == null || fragments.areAllAvailable()
                ? null
                : new Rejection(
                        ErrorCode.SERVER_BUSY,
                        "A partition of '" + whole.path()
                                + "' is temporarily unavailable, so that the entity cannot be changed. Please wait 10"
                                + " seconds and try again.");
    }

    /** Makes the fragments of an entity that has none yet; all of them, or none and a failure, and its name is free. */
    CompletionStage<Void> createParts(ServedEntity whole, Partitions fragments) {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < fragments.count(); i++) {
            int fragment = i;
            Shard home = shardOf(whole, fragment);
            all.add(ChangeTask.send(home, shard -> {
                if (!shard.entities().hasIds()) {
                    return Rejection.of(ErrorCode.QUOTA_EXCEEDED);
                }
                if (whole instanceof ServedSubscription subscription) {
                    ServedTopic topic = topicPart(subscription, fragment);
                    if (!shard.entities().isServed(topic)) {
                        return new Rejection(
                                ErrorCode.ENTITY_NOT_FOUND,
                                "The topic '" + subscription.topic().path() + "' was deleted.");
                    }
                    Rejection damaged = shard.damaged().refusal(topic);
                    if (damaged != null) {
                        return damaged;
                    }
                }
                fragments.put(shard.createPart(whole, fragment, id -> part(home, id, whole, fragment)));
                return null;
            }));
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                .handle((done, failure) -> failure)
                .thenCompose(failure -> {
                    if (failure == null) {
                        return CompletableFuture.<Void>completedFuture(null);
                    }
                    whole.unlist(); // first, so that a shard which reads its store meanwhile knows that they go
                    return deleteParts(whole).handle((gone, ignored) -> null).thenCompose(gone -> failed(failure));
                });
    }

    /** The same before the shards run; the rows go with their first batches. */
    public void createPartsNow(ServedEntity whole, Partitions fragments) {
        for (int i = 0; i < fragments.count(); i++) {
            int fragment = i;
            Shard home = shardOf(whole, fragment);
            fragments.put(home.lifecycle().createPart(whole, fragment, id -> part(home, id, whole, fragment)));
        }
    }

    private static CompletionStage<Void> failed(Throwable failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return CompletableFuture.failedFuture(
                cause instanceof BrokerException known ? known : new BrokerException(Rejection.of(ErrorCode.INTERNAL)));
    }

    /** Each fragment in another shard, as far as there are enough (PART-9); those of a subscription with those of its topic. */
    private Shard shardOf(ServedEntity whole, int fragment) {
        if (whole instanceof ServedSubscription subscription) {
            return topicPart(subscription, fragment).shard();
        }
        List<Shard> all = shards.get();
        return all.get((whole.shard().index() + fragment) % all.size());
    }

    /** A fragment with its number. */
    public static ServedEntity part(Shard shard, long id, ServedEntity whole, int fragment) {
        if (whole instanceof ServedQueue queue) {
            return new ServedQueue(shard, id, queue, fragment);
        } else if (whole instanceof ServedTopic topic) {
            return new ServedTopic(shard, id, topic, fragment);
        }
        ServedSubscription subscription = (ServedSubscription) whole;
        return new ServedSubscription(id, subscription, topicPart(subscription, fragment));
    }

    private static ServedTopic topicPart(ServedSubscription subscription, int fragment) {
        Partitions fragments = subscription.topic().fragments();
        if (fragments == null) {
            throw new IllegalStateException("Expected a partitioned topic of '" + subscription.path() + "'.");
        }
        return (ServedTopic) fragments.part(fragment);
    }

    /** Has all fragments do something in their shards; done when it is durable everywhere. */
    static CompletionStage<Void> onAll(ServedEntity whole, BiConsumer<EntityLifecycle, ServedEntity> change) {
        Partitions fragments = whole.fragments();
        List<ServedEntity> parts = fragments == null ? List.of() : fragments.all();
        return CompletableFuture.allOf(parts.stream()
                .map(part -> ChangeTask.send(part.shard(), shard -> {
                    if (shard.entities().isServed(part)) {
                        change.accept(shard, part);
                    }
                    return null;
                }))
                .toArray(CompletableFuture[]::new));
    }

    /**
     * Has the fragments in other shards follow what the store of the whole has, after a commit that gave no certain answer.
     *
     * @param shown what was known of the whole before
     * @param shownRules its rules then
     */
    public static void catchUp(ServedEntity whole, EntityDescription shown, List<Rule> shownRules) {
        if (whole.fragments() == null) {
            return;
        }
        if (!shown.equals(whole.description())) {
            onAll(whole, (shard, part) -> shard.follow(part));
        }
        if (whole instanceof ServedSubscription subscription) {
            Set<Rule> changed = new LinkedHashSet<>(shownRules);
            changed.addAll(whole.rules());
            changed.removeIf(rule -> shownRules.contains(rule) && whole.rules().contains(rule));
            changed.forEach(
                    rule -> RuleChanges.follow(subscription, rule.description().name(), whole));
        }
    }

    /** Deletes the fragments of an entity that is no more; those that cannot be reached go when their shards work again. */
    public static CompletionStage<Void> deleteParts(ServedEntity whole) {
        return onAll(whole, (shard, part) -> shard.delete(part));
    }
}
