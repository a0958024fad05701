package dev.jitney.runtime.namespace;

import dev.jitney.core.namespace.EntityRules;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityNames;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.model.TierProfile;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.rows.MadeNamespaceRow;
import dev.jitney.runtime.shard.ChangeTask;
import dev.jitney.runtime.shard.Shard;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates and deletes namespaces at run time. The first shard stores their rows. Any thread may call it.
 *
 * <p>A deletion first makes durable that the namespace is being deleted: from then on lookups do not find it, and no
 * entities are created in it. Then its entities are deleted, and finally its row. If the deletion is interrupted, the
 * next start continues it, and so does another request for the deletion.
 */
public final class NamespaceChanges {
    private static final Logger LOG = LoggerFactory.getLogger(NamespaceChanges.class);

    /** The largest number of concurrent deletions of entities; each writes one or more rows in a commit. */
    private static final int DELETIONS_MAX = 256;

    /** The largest number of passes without progress; a partitioned entity that is being created needs a few. */
    private static final int PASSES_MAX = 100;

    private final ServedNamespaces namespaces;
    private final List<Shard> shards;
    private final int countMax;

    /**
     * @param shards all shards; filled after construction
     * @param countMax the largest number of namespaces
     */
    public NamespaceChanges(ServedNamespaces namespaces, List<Shard> shards, int countMax) {
        this.namespaces = namespaces;
        this.shards = shards;
        this.countMax = countMax;
    }

    private Shard home() {
        return shards.get(0);
    }

    /** Creates a namespace as {@link Broker#createNamespace} describes. */
    public CompletionStage<Namespace> create(String name, TierProfile tier, List<AccessRule> rules) {
        Rejection refusal = EntityNames.refuseNamespace(name);
        if (refusal == null) {
            refusal = EntityRules.refuseNamespaceRules(rules);
        }
        MadeNamespaceRow row = new MadeNamespaceRow(name, tier, false);
        CompletableFuture<Namespace> done = new CompletableFuture<>();
        if (refusal != null) {
            return BrokerException.failed(refusal);
        }
        ServedNamespace[] made = new ServedNamespace[1];
        ChangeTask.send(
                home(),
                shard -> {
                    Rejection reason = refuse(name, rules);
                    if (reason == null) {
                        made[0] = namespaces.make(row);
                        reason = made[0].options().keyPolicy().refuse(rules);
                    }
                    if (reason == null) {
                        new NamespaceRows(shard, namespaces).create(made[0], row, rules);
                    }
                    return reason;
                },
                () -> done.complete(made[0]),
                done);
        return done;
    }

    private @Nullable Rejection refuse(String name, List<AccessRule> rules) {
        if (name.equalsIgnoreCase("localhost") || name.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return new Rejection(
                    ErrorCode.ARGUMENT,
                    "Expected a name that is not the beginning of a server address, but got '" + name
                            + "'. Such addresses select the first namespace. Choose another name.");
        }
        ServedNamespace existing = namespaces.find(name);
        if (existing != null && existing.isGone()) {
            return new Rejection(
                    ErrorCode.SERVER_BUSY,
                    "The namespace '" + existing.name()
                            + "' is still being deleted. Please wait 10 seconds and try again.");
        }
        if (namespaces.isTaken(name)) {
            return new Rejection(
                    ErrorCode.ENTITY_EXISTS,
                    "The namespace '" + name
                            + "' already exists. Choose another name; names are compared without case.");
        }
        if (namespaces.count() >= countMax) {
            return new Rejection(
                    ErrorCode.QUOTA_EXCEEDED,
                    "Expected at most " + countMax
                            + " namespaces, but this is one more. Delete one that is not needed.");
        }
        for (AccessRule rule : rules) {
            for (Namespace other : namespaces.served()) {
                if (other.hasRuleNamed(rule.name())) {
                    return new Rejection(
                            ErrorCode.ENTITY_EXISTS,
                            "Expected a key name that no other namespace uses, because Jitney selects the namespace by key"
                                    + " name when the host name contains none, but '" + other.name() + "' has '"
                                    + rule.name()
                                    + "'. Choose another key name.");
                }
            }
        }
        return null;
    }

    /** Deletes a namespace as {@link Broker#deleteNamespace} describes. */
    public CompletionStage<Void> delete(String name) {
        ServedNamespace namespace = namespaces.find(name);
        if (namespace == null) {
            return BrokerException.failed(new Rejection(
                    ErrorCode.ENTITY_NOT_FOUND,
                    "The namespace '" + name + "' does not exist. Names are compared without case."));
        }
        if (namespace.isConfigured()) {
            return BrokerException.failed(new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "The namespace '" + namespace.name()
                            + "' belongs to the configuration and cannot be deleted at run time."
                            + " Delete its queues and topics, remove it from the configuration, and restart the"
                            + " server."));
        }
        if (namespace.options().deletionLocked()) { // IDLE-11
            return BrokerException.failed(new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "Entities of the namespace '" + namespace.name() + "' are locked against deletion, so it was"
                            + " not deleted. Restart the server without --deletion-lock first."));
        }
        return everyShard() // first, so that a deletion does not begin while a store does not work
                .thenCompose(works -> ChangeTask.send(home(), shard -> {
                    if (!namespace.isGone()) {
                        new NamespaceRows(shard, namespaces).leave(namespace);
                    }
                    return null;
                }))
                .thenCompose(left -> drop(namespace));
    }

    /** Continues deletions that were interrupted. */
    public void resume() {
        for (ServedNamespace namespace : namespaces.leaving()) {
            drop(namespace).whenComplete((done, failure) -> {
                if (failure == null) {
                    LOG.info("Deleted the namespace {}; the deletion began before the restart.", namespace.name());
                } else {
                    LOG.warn(
                            "Failed to complete the deletion of the namespace {}; a new request or the next restart"
                                    + " continues it: {}",
                            namespace.name(),
                            cause(failure).getMessage());
                }
            });
        }
    }

    /** Deletes the entities of a namespace that is being deleted, and then its row. */
    private CompletionStage<Void> drop(ServedNamespace namespace) {
        return pass(namespace, Integer.MAX_VALUE, PASSES_MAX)
                .thenCompose(empty -> ChangeTask.send(home(), shard -> {
                    if (namespaces.leaving().contains(namespace)) { // a new namespace may have its name
                        new NamespaceRows(shard, namespaces).remove(namespace);
                    }
                    return null;
                }));
    }

    /**
     * Deletes the remaining entities in passes. A shard's pending changes to the namespace are visible after one of
     * its tasks.
     */
    private CompletionStage<Void> pass(ServedNamespace namespace, int before, int left) {
        return everyShard().thenCompose(seen -> {
            List<ServedEntity> entities = namespace.listed();
            if (entities.isEmpty()) {
                return CompletableFuture.<Void>completedFuture(null);
            }
            if (left == 0) {
                return BrokerException.<Void>failed(new Rejection(
                        ErrorCode.SERVER_BUSY,
                        "'" + entities.get(0).path() + "' of the namespace '" + namespace.name()
                                + "' cannot be deleted now. Please wait 10 seconds and try again."));
            }
            int tries = entities.size() < before ? PASSES_MAX : left - 1;
            return deleteAll(namespace, entities).thenCompose(deleted -> pass(namespace, entities.size(), tries));
        });
    }

    /** Deletes a limited number of entities; the next pass deletes others. */
    private static CompletionStage<Void> deleteAll(ServedNamespace namespace, List<ServedEntity> entities) {
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (ServedEntity entity : entities.subList(0, Math.min(entities.size(), DELETIONS_MAX))) {
            all.add(namespace.drop(entity).toCompletableFuture());
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    /** Completes when each shard has run a task; fails if a shard does not work. */
    private CompletionStage<Void> everyShard() {
        return CompletableFuture.allOf(shards.stream()
                .map(shard -> ChangeTask.send(shard, turn -> null))
                .toArray(CompletableFuture[]::new));
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
