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
 * Makes and deletes namespaces at run time. Everything about their rows happens in the first shard. Any thread may call it.
 *
 * <p>A deletion first makes durable that the namespace leaves: from then on nobody finds it, and nothing is created in it. Then
 * its entities go, and with the last of them what is known of it. If that is interrupted, the next start goes on with it, and
 * so does whoever asks for the deletion again.
 */
public final class NamespaceChanges {
    private static final Logger LOG = LoggerFactory.getLogger(NamespaceChanges.class);

    /** Deletions of entities that are under way at a time, each a row or more in a commit. */
    private static final int DELETIONS_MAX = 256;

    /** Looks at what is left without any progress: a partitioned entity in the making needs a few. */
    private static final int PASSES_MAX = 100;

    private final ServedNamespaces namespaces;
    private final List<Shard> shards;

    /** @param shards all of them, as soon as there are any */
    public NamespaceChanges(ServedNamespaces namespaces, List<Shard> shards) {
        this.namespaces = namespaces;
        this.shards = shards;
    }

    private Shard home() {
        return shards.get(0);
    }

    /** See {@link Broker#createNamespace}. */
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
                    "Expected a name that no address of a server begins with, but got '" + name
                            + "': whoever asks for such an address means the first namespace. Choose another name.");
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
        if (namespaces.count() >= Broker.NAMESPACES_MAX) {
            return new Rejection(
                    ErrorCode.QUOTA_EXCEEDED,
                    "Expected at most " + Broker.NAMESPACES_MAX
                            + " namespaces, but this is one more. Delete one that is not needed.");
        }
        for (AccessRule rule : rules) {
            for (Namespace other : namespaces.served()) {
                if (other.hasRuleNamed(rule.name())) {
                    return new Rejection(
                            ErrorCode.ENTITY_EXISTS,
                            "Expected a key name that no other namespace has, since it tells the namespace of a client"
                                    + " whose host name tells none, but '" + other.name() + "' has '" + rule.name()
                                    + "'. Choose another key name.");
                }
            }
        }
        return null;
    }

    /** See {@link Broker#deleteNamespace}. */
    public CompletionStage<Void> delete(String name) {
        ServedNamespace namespace = namespaces.find(name);
        if (namespace == null) {
            return BrokerException.failed(new Rejection(
                    ErrorCode.ENTITY_NOT_FOUND,
                    "There is no namespace '" + name + "'. Names are compared without case."));
        }
        if (namespace.isConfigured()) {
            return BrokerException.failed(new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "The namespace '" + namespace.name()
                            + "' belongs to the configuration and cannot be deleted at run time."
                            + " Delete its queues and topics, take it out of the configuration, and start the server"
                            + " again."));
        }
        if (namespace.options().deletionLocked()) { // IDLE-11
            return BrokerException.failed(new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "Entities of the namespace '" + namespace.name() + "' are locked against deletion, so it is not"
                            + " deleted. Start the server without --deletion-lock first."));
        }
        return everyShard() // first of all: where a store does not work, nothing is begun
                .thenCompose(works -> ChangeTask.send(home(), shard -> {
                    if (!namespace.isGone()) {
                        new NamespaceRows(shard, namespaces).leave(namespace);
                    }
                    return null;
                }))
                .thenCompose(left -> drop(namespace));
    }

    /** Goes on with deletions that were interrupted. */
    public void resume() {
        for (ServedNamespace namespace : namespaces.leaving()) {
            drop(namespace).whenComplete((done, failure) -> {
                if (failure == null) {
                    LOG.info("The namespace {} is deleted; that was begun before the start.", namespace.name());
                } else {
                    LOG.warn(
                            "The namespace {} is not deleted yet; that goes on when it is asked for again, or with the"
                                    + " next start: {}",
                            namespace.name(),
                            cause(failure).getMessage());
                }
            });
        }
    }

    /** Deletes what is in a namespace that leaves, and then the last that is known of it. */
    private CompletionStage<Void> drop(ServedNamespace namespace) {
        return pass(namespace, Integer.MAX_VALUE, PASSES_MAX)
                .thenCompose(empty -> ChangeTask.send(home(), shard -> {
                    if (namespaces.leaving().contains(namespace)) { // a later one may have its name
                        new NamespaceRows(shard, namespaces).remove(namespace);
                    }
                    return null;
                }));
    }

    /** What was under way in a shard when the namespace began to leave is known after that shard's turn. */
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

    /** A slice of them; the next pass sees the others. */
    private static CompletionStage<Void> deleteAll(ServedNamespace namespace, List<ServedEntity> entities) {
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (ServedEntity entity : entities.subList(0, Math.min(entities.size(), DELETIONS_MAX))) {
            all.add(namespace.drop(entity).toCompletableFuture());
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    /** Completes when each shard has had a turn; fails if one does not work. */
    private CompletionStage<Void> everyShard() {
        return CompletableFuture.allOf(shards.stream()
                .map(shard -> ChangeTask.send(shard, turn -> null))
                .toArray(CompletableFuture[]::new));
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
