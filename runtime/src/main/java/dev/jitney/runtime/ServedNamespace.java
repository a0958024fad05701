package dev.jitney.runtime;

import dev.jitney.core.Reply;
import dev.jitney.core.RowWriter.QueueRow;
import dev.jitney.core.namespace.EntityNames;
import dev.jitney.core.namespace.QueueRules;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A namespace over the shards. Looking up an entity never leaves the caller's thread; changes go through the shard that
 * owns the entity, so that two of them for one name never cross.
 */
final class ServedNamespace extends Namespace {
    private final NamespaceOptions options;
    private final Function<String, Shard> placement;
    private final Map<String, ServedQueue> entities;
    private final Throttle messages;
    private final Throttle management;

    /** @param placement the shard for an entity's comparison key */
    ServedNamespace(NamespaceOptions options, Function<String, Shard> placement, Clock clock) {
        this.options = options;
        this.placement = placement;
        this.entities = new ConcurrentHashMap<>();
        this.messages = Throttle.of(options, clock);
        this.management = messages;
    }

    /** Another view of the same entities. */
    private ServedNamespace(ServedNamespace served, Throttle management) {
        this.options = served.options;
        this.placement = served.placement;
        this.entities = served.entities;
        this.messages = served.messages;
        this.management = management;
    }

    /** Takes over an entity the store knows, before the shard runs. */
    void adopt(Shard shard, QueueRow row) {
        ServedQueue entity = new ServedQueue(shard, row, this);
        list(entity);
        shard.adopt(entity, row);
    }

    void list(ServedQueue entity) {
        entities.put(EntityAddress.keyOf(entity.path()), entity);
    }

    void unlist(ServedQueue entity) {
        entities.remove(EntityAddress.keyOf(entity.path()), entity);
    }

    NamespaceOptions options() {
        return options;
    }

    /** What messages of its entities cost. */
    Throttle throttle() {
        return messages;
    }

    @Override
    public Namespace unthrottled() {
        return new ServedNamespace(this, Throttle.off());
    }

    @Override
    public String name() {
        return options.name();
    }

    @Override
    public List<AccessRule> accessRules() {
        return options.accessRules();
    }

    @Override
    public Limits limits() {
        return options.limits();
    }

    @Override
    public @Nullable Entity entity(String path) {
        return entities.get(EntityAddress.keyOf(path));
    }

    @Override
    public List<Entity> entities() {
        return List.copyOf(entities.values());
    }

    @Override
    public CompletionStage<Entity> createQueue(QueueDescription requested) {
        QueueDescription description = withTierDefaults(requested);
        String key = EntityAddress.keyOf(description.path());
        Rejection refusal = management.refuseManagement();
        if (refusal == null) {
            refusal = QueueRules.refuseCreation(description, options.limits());
        }
        if (refusal != null) {
            return failed(refusal);
        }
        Shard shard = placement.apply(key);
        CompletableFuture<Entity> done = new CompletableFuture<>();
        onShard(shard, done, owner -> {
            if (entities.containsKey(key)) {
                done.completeExceptionally(new BrokerException(new Rejection(
                        ErrorCode.ENTITY_EXISTS,
                        "The messaging entity '" + options.name() + ":" + description.path() + "' already exists.")));
                return;
            }
            if (entities.size() >= options.limits().maxEntities()) { // QUOTA-7
                done.completeExceptionally(new BrokerException(new Rejection(
                        ErrorCode.QUOTA_EXCEEDED,
                        "Expected at most " + options.limits().maxEntities() + " entities in the namespace.")));
                return;
            }
            if (!owner.hasEntityIds()) {
                done.completeExceptionally(new BrokerException(new Rejection(
                        ErrorCode.QUOTA_EXCEEDED, "The messaging store has no numbers left for new entities.")));
                return;
            }
            QueueRow template = new QueueRow(0, options.name(), description, 0, 0);
            // Visible at once, so that a second creation of the name sees it; useful only when committed.
            ServedQueue entity = owner.createQueue(row -> new ServedQueue(owner, row, this), template);
            entities.put(key, entity);
            owner.afterCommit(completing(() -> done.complete(entity), done, () -> entities.remove(key, entity)));
        });
        return done;
    }

    @Override
    public CompletionStage<Entity> updateQueue(QueueDescription requested) {
        Rejection busy = management.refuseManagement();
        if (busy != null) {
            return failed(busy);
        }
        ServedQueue entity = entities.get(EntityAddress.keyOf(requested.path()));
        if (entity == null) {
            Rejection subQueue = EntityNames.refuseSubQueue(requested.path());
            return failed(subQueue != null ? subQueue : notFound(requested.path()));
        }
        // The name keeps the case it was created in (MSG-9).
        QueueDescription changed =
                withTierDefaults(requested.toBuilder().path(entity.path()).build());
        CompletableFuture<Entity> done = new CompletableFuture<>();
        onShard(entity.shard(), done, owner -> {
            Rejection refusal = QueueRules.refuseUpdate(entity.description(), changed, options.limits());
            if (refusal != null) {
                done.completeExceptionally(new BrokerException(refusal));
            } else {
                owner.updateQueue(entity.id(), changed, completing(() -> done.complete(entity), done, () -> {}));
            }
        });
        return done;
    }

    @Override
    public CompletionStage<Void> deleteEntity(String path) {
        Rejection busy = management.refuseManagement();
        if (busy != null) {
            return failed(busy);
        }
        String key = EntityAddress.keyOf(path);
        ServedQueue entity = entities.get(key);
        if (entity == null) {
            Rejection subQueue = EntityNames.refuseSubQueue(path);
            return failed(subQueue != null ? subQueue : notFound(path));
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        Runnable forget = () -> {
            entities.remove(key, entity);
            done.complete(null);
        };
        onShard(entity.shard(), done, owner -> owner.deleteEntity(entity.id(), completing(forget, done, () -> {})));
        return done;
    }

    /** What a tier has instead of "for ever" (TTL-19). */
    private QueueDescription withTierDefaults(QueueDescription description) {
        boolean unset = description.defaultMessageTimeToLiveMs() == MessageView.NEVER;
        return unset && options.limits().maxTimeToLiveMs() != MessageView.NEVER
                ? description.toBuilder()
                        .defaultMessageTimeToLiveMs(options.limits().maxTimeToLiveMs())
                        .build()
                : description;
    }

    private static Rejection notFound(String path) {
        return new Rejection(ErrorCode.ENTITY_NOT_FOUND, "The messaging entity '" + path + "' could not be found.");
    }

    private static <T> CompletionStage<T> failed(Rejection rejection) {
        return CompletableFuture.failedFuture(new BrokerException(rejection));
    }

    private static void onShard(Shard shard, CompletableFuture<?> done, Consumer<Shard> action) {
        shard.mailbox().put(new Mailbox.Letter() {
            @Override
            public void open(Shard owner) {
                try {
                    action.accept(owner);
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

    /** Turns an answer into a completed future. */
    private static ReplyListener completing(Runnable onDone, CompletableFuture<?> done, Runnable undo) {
        return new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                onDone.run();
            }

            @Override
            public void onRejected(Rejection rejection) {
                undo.run();
                done.completeExceptionally(new BrokerException(rejection));
            }
        };
    }
}
