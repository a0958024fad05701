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
 * Applies changes of a partitioned entity to its fragments, in all their shards (PART-56). The row of the whole, in
 * its own shard, decides: fragments are created before it, deleted after it, and follow its description. An
 * interrupted change is completed or undone when the shard works again. Any thread may call it.
 */
public final class PartitionedChanges {
    private final Supplier<List<Shard>> shards;
    private final Partitions.Factory factory;

    /** @param shards all shards; filled after construction */
    public PartitionedChanges(Supplier<List<Shard>> shards, Partitions.Factory factory) {
        this.shards = shards;
        this.factory = factory;
    }

    /** Makes an entity partitioned, before it is visible. Its fragments are added later. */
    public Partitions partition(ServedEntity whole, int count) {
        Partitions fragments = factory.create(whole, count);
        whole.partition(fragments);
        return fragments;
    }

    /** Returns a refusal of changes while a fragment of the entity is not available, or null. */
    static @Nullable Rejection refuse(ServedEntity whole) {
        Partitions fragments = whole.fragments();
        return fragments == null || fragments.areAllAvailable()
                ? null
                : new Rejection(
                        ErrorCode.SERVER_BUSY,
                        "A partition of '" + whole.path()
                                + "' is temporarily unavailable, so the entity cannot be changed. Please wait 10"
                                + " seconds and try again.");
    }

    /**
     * Creates all fragments of an entity that has none yet. If one fails, none remains and the entity's name is
     * released.
     */
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
                    whole.unlist(); // first, for a shard that reloads its store meanwhile
                    return deleteParts(whole).handle((gone, ignored) -> null).thenCompose(gone -> failed(failure));
                });
    }

    /** Creates the fragments before the shards run. The rows are written with the first batches of the shards. */
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

    /**
     * Returns the shard of a fragment: another one for each fragment while there are enough (PART-9). A
     * subscription's fragments share those of its topic.
     */
    private Shard shardOf(ServedEntity whole, int fragment) {
        if (whole instanceof ServedSubscription subscription) {
            return topicPart(subscription, fragment).shard();
        }
        List<Shard> all = shards.get();
        return all.get((whole.shard().index() + fragment) % all.size());
    }

    /** Creates the object of a fragment from its number. */
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

    /** Applies a change to all fragments in their shards; completes when it is durable everywhere. */
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
     * Updates the fragments in other shards to the stored row of the whole, after a commit with an unknown outcome.
     *
     * @param shown      the description of the whole that was visible before
     * @param shownRules its rules that were visible before
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

    /**
     * Deletes the fragments of a deleted entity. Fragments in unavailable shards are deleted when their shards work
     * again.
     */
    public static CompletionStage<Void> deleteParts(ServedEntity whole) {
        return onAll(whole, (shard, part) -> shard.delete(part));
    }
}
