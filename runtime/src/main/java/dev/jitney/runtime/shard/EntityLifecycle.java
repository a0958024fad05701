package dev.jitney.runtime.shard;

import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.rule.Rule;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.rows.PartRow;
import dev.jitney.runtime.rows.StoreFault;
import dev.jitney.runtime.shard.entity.DamagedEntities;
import dev.jitney.runtime.shard.entity.DeletionBacklog;
import dev.jitney.runtime.shard.entity.EntitiesInShard;
import dev.jitney.runtime.shard.entity.EntityInShard;
import dev.jitney.runtime.shard.entity.HostedEntity;
import dev.jitney.runtime.shard.entity.HostedSubscription;
import dev.jitney.runtime.shard.entity.HostedTopic;
import dev.jitney.runtime.shard.entity.RecordApplier;
import dev.jitney.runtime.shard.entity.ShardContext;
import dev.jitney.runtime.shard.entity.ShardEntities;
import dev.jitney.runtime.shard.entity.ShardScheduler;
import dev.jitney.runtime.shard.entity.TopicInShard;
import dev.jitney.runtime.shard.turn.Effects;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Creates, changes and deletes the entities of a shard, and loads them from the store. Covers all of an entity's state
 * in memory and its rows in the store. For the shard's thread.
 */
public final class EntityLifecycle {
    private final ShardContext context;
    private final RecordApplier applier;
    private final ShardEntities entities;
    private final EntitiesInShard entitiesInShard;
    private final ShardScheduler scheduler;
    private final ShardReceivers receivers;
    private final TemporaryEntities temporary;
    private final DeletionBacklog backlog;
    private final DamagedEntities damaged;
    private final Effects effects;

    /** The number of waiting transfers of a source, as stored. */
    private final ToLongFunction<FragmentId> transfers;

    private Runnable afterReload = () -> {};

    EntityLifecycle(
            ShardContext context,
            RecordApplier applier,
            ShardEntities entities,
            EntitiesInShard entitiesInShard,
            ShardScheduler scheduler,
            ShardReceivers receivers,
            TemporaryEntities temporary,
            DeletionBacklog backlog,
            DamagedEntities damaged,
            Effects effects,
            ToLongFunction<FragmentId> transfers) {
        this.context = context;
        this.applier = applier;
        this.entities = entities;
        this.entitiesInShard = entitiesInShard;
        this.scheduler = scheduler;
        this.receivers = receivers;
        this.temporary = temporary;
        this.backlog = backlog;
        this.damaged = damaged;
        this.effects = effects;
        this.transfers = transfers;
    }

    // --- for changes ---

    /** Returns the entities and the rows that describe them. */
    public ShardEntities entities() {
        return entities;
    }

    /** Returns the entities that are out of service. */
    public DamagedEntities damaged() {
        return damaged;
    }

    /** Returns the time of this turn, milliseconds since the epoch. */
    public long nowMs() {
        return context.nowMs();
    }

    // --- loading from the store ---

    /** Reads the entities of the store, before the shard runs. */
    List<EntityRow> load() {
        backlog.load();
        return entities.load();
    }

    /** Reloads the entities from the store after a failure. */
    void reload() {
        entitiesInShard.clear();
        backlog.load();
        entities.reload(this::discard).forEach(this::open);
        afterReload.run();
    }

    /** Deletes a fragment that belongs to no entity, after the fragments of topics were loaded. */
    public void discard(PartRow part) {
        if (entities.hasTopicFragment(part.fragment())) {
            backlog.leaveOrphan(part); // its messages may share bodies with other subscriptions of the topic
        } else {
            entities.discard(part);
        }
    }

    /** Adds an entity that is already in the store. */
    public void adopt(HostedEntity entity) {
        entities.adopt(entity);
        open(entity);
    }

    /** Sets an action that runs after each reload, once the entities are loaded. To be called before the shard runs. */
    public void afterReload(Runnable action) {
        afterReload = action;
    }

    private void open(HostedEntity entity) {
        entity.unclaimed().forgetAll();
        StoreFault expected = damaged.takeExpected(entity);
        if (damaged.contains(entity)) {
            entity.setDamaged(true);
            return;
        }
        if (expected != null) {
            contain(expected);
            return;
        }
        EntityInShard inShard;
        try {
            inShard = entitiesInShard.open(entity, context.nowMs());
        } catch (StoreFault e) {
            if (!DamagedEntities.isDamage(e)) {
                throw e;
            }
            contain(e);
            return;
        }
        inShard.state().loadTransfers(transfers.applyAsLong(inShard.state().id()));
        temporary.watch(inShard);
        scheduler.publish(inShard);
        applier.wake(inShard); // it may have messages to forward
    }

    /** Takes the entity that a corrupt row belongs to out of service. */
    void contain(StoreFault damage) {
        Long id = damage.entityId();
        HostedEntity found = id == null ? null : entities.find(id);
        if (found == null && id != null) {
            backlog.giveUp(id); // deleted, but some of its messages are still stored
        }
        if (found == null) {
            return;
        }
        HostedEntity unit = DamagedEntities.unit(found);
        damaged.add(unit, damage.fault());
        if (unit instanceof HostedTopic topic) {
            topic.allSubscriptions().forEach(this::takeOutOfMemory);
        }
        takeOutOfMemory(unit);
    }

    private void takeOutOfMemory(HostedEntity entity) {
        EntityInShard inShard = entitiesInShard.remove(entity);
        if (inShard != null) {
            scheduler.forget(inShard);
            temporary.forget(inShard);
        }
    }

    /** Clears the list of damaged entities before the store is reloaded. */
    void retryDamaged() {
        damaged.clear();
        backlog.retryDamaged();
    }

    // --- created ---

    /** @param template a row without an id */
    public <E extends HostedEntity> E create(EntityRow template, Function<EntityRow, E> factory) {
        E entity = entities.create(template, context.nowMs(), factory);
        serve(entity);
        return entity;
    }

    /** Reserves a number for an entity that {@link #add} adds once its fragments exist. */
    public <E extends HostedEntity> E reserve(EntityRow template, Function<EntityRow, E> factory) {
        return entities.reserve(template, context.nowMs(), factory);
    }

    /** Adds an entity whose number was reserved before. */
    public void add(HostedEntity entity) {
        entities.add(entity);
        serve(entity);
    }

    /** Adds a fragment of a partitioned entity. */
    public <E extends HostedEntity> E createPart(HostedEntity whole, int fragment, LongFunction<E> factory) {
        E part = entities.createPart(whole, fragment, factory);
        part.list();
        serve(part);
        return part;
    }

    private void serve(HostedEntity entity) {
        EntityInShard inShard = entitiesInShard.create(entity);
        scheduler.write(inShard);
        temporary.watch(inShard);
        scheduler.timers().arm(inShard);
        if (inShard.topic() != null) {
            applier.touch(inShard.topic()); // IDLE-8
        }
    }

    // --- changed ---

    /** Changes the description of an entity. */
    public void update(HostedEntity entity, EntityDescription description) {
        entities.update(entity, description, context.nowMs());
        follow(entity);
    }

    /** Applies the current description of an entity to its state and receivers. */
    public void follow(HostedEntity entity) {
        EntityDescription description = entity.latest().description();
        EntityInShard inShard = entitiesInShard.get(entity.id());
        if (inShard != null) {
            applier.apply(inShard, List.of(new Record.QueueUpdated(entity.asQueue(), context.nowMs())), false);
            applier.touch(inShard);
            temporary.watch(inShard);
            if (inShard.topic() != null) {
                inShard.topic().listen(inShard);
            }
            if (entity.asQueue().forwardTo() != null) {
                closeReceivers(inShard, inShard.state().receiverIds(Lane.MAIN), forwarded(description)); // FWD-7
            }
            if (entity.asQueue().forwardDeadLetteredMessagesTo() != null) {
                closeReceivers(inShard, inShard.state().receiverIds(Lane.DEAD_LETTER), forwarded(description));
            }
            if (!description.status().allowsReceive()) {
                suspend(
                        inShard,
                        new Rejection(
                                ErrorCode.ENTITY_DISABLED,
                                "Messaging entity '" + description.path() + "' is currently disabled."));
            }
            applier.wake(inShard);
        }
        if (entity instanceof HostedTopic topic) {
            topic.allSubscriptions().forEach(this::followTopic);
        }
    }

    /** Applies the sizes that a subscription has from its topic (SESS-15, QUOTA-2). This is no activity of it (IDLE-9). */
    private void followTopic(HostedEntity subscription) {
        EntityInShard inShard = entitiesInShard.get(subscription.id());
        QueueDescription description = subscription.asQueue();
        if (inShard != null && !inShard.state().description().equals(description)) {
            applier.apply(inShard, List.of(new Record.QueueUpdated(description, context.nowMs())), false);
        }
    }

    /** Stops deliveries. The holder of a session keeps it for the rest of its lock (SUSP-5). */
    private void suspend(EntityInShard inShard, Rejection reason) {
        Set<Long> holders = inShard.state().sessionHolderIds();
        for (long id : holders) {
            receivers.suspend(id, reason);
            inShard.applier().apply(new Record.CreditSet(id, 0, false));
        }
        Set<Long> others = new HashSet<>(inShard.state().receiverIds());
        others.removeAll(holders);
        closeReceivers(inShard, others, reason);
    }

    private static Rejection forwarded(EntityDescription description) {
        return new Rejection(
                ErrorCode.INVALID_OPERATION,
                "'" + description.path() + "' now forwards its messages to another entity. Receive from that entity.");
    }

    /** Adds or replaces a rule of a subscription. The rule applies to messages that arrive from now on (RULE-11). */
    public void putRule(HostedSubscription subscription, Rule rule) {
        boolean isNew = subscription.rule(rule.description().name()) == null;
        entities.putRule(subscription, rule);
        EntityInShard inShard = entitiesInShard.get(subscription.id());
        if (inShard != null && inShard.topic() != null) {
            inShard.topic().putRule(subscription.id(), rule.description());
            applier.touch(isNew ? inShard : inShard.topic()); // IDLE-9: only new rules
        }
    }

    /** Removes a rule of a subscription. */
    public void deleteRule(HostedSubscription subscription, String name) {
        entities.deleteRule(subscription, name);
        EntityInShard inShard = entitiesInShard.get(subscription.id());
        if (inShard != null && inShard.topic() != null) {
            inShard.topic().removeRule(subscription.id(), name);
            applier.touch(inShard.topic());
        }
    }

    /**
     * Copies a rule of a partitioned subscription to a fragment, or removes it there if {@code rule} is null. Applies
     * to messages that arrive from now on.
     */
    public void followRule(HostedSubscription part, String name, @Nullable Rule rule) {
        EntityInShard inShard = entitiesInShard.get(part.id());
        if (inShard != null && inShard.topic() != null && rule != null) {
            inShard.topic().putRule(part.id(), rule.description());
        } else if (inShard != null && inShard.topic() != null) {
            inShard.topic().removeRule(part.id(), name);
        }
    }

    // --- removed ---

    /** Deletes an entity on request. */
    public void delete(HostedEntity entity) {
        EntityInShard inShard = entitiesInShard.get(entity.id());
        if (inShard != null && inShard.topic() != null) {
            applier.touch(inShard.topic()); // IDLE-8
        }
        remove(entity);
    }

    /** Deletes an idle entity (IDLE-13). */
    void deleteIdle(HostedEntity entity) {
        remove(entity);
        if (entity.isPartitioned()) {
            effects.afterCommit(new ReplyListener() {
                @Override
                public void onReply(Reply reply) {
                    entity.deleteFragments();
                }

                @Override
                public void onRejected(Rejection rejection) {
                    // It is still there.
                }
            });
        }
        effects.afterCommit(TemporaryEntities.announcement(entity));
    }

    /** Deletes an entity with everything in it, and a topic with its subscriptions. */
    private void remove(HostedEntity entity) {
        boolean abandoned = damaged.contains(entity);
        damaged.forget(entity);
        if (entity instanceof HostedTopic topic) {
            for (HostedEntity subscription : topic.allSubscriptions()) {
                if (!entities.isLeaving(subscription)) {
                    takeOut(subscription);
                    if (abandoned) {
                        entities.abandon(subscription);
                    } else {
                        entities.delete(subscription);
                    }
                }
            }
        }
        EntityInShard inShard = takeOut(entity);
        TopicInShard topic = inShard == null ? null : inShard.topic();
        if (abandoned) {
            entities.abandon(entity);
        } else if (inShard != null && topic != null && inShard.state().counts().total() > 0) {
            entities.deleteLeaving(
                    entity, () -> backlog.leave(entity.id(), topic.entity().id()));
        } else {
            entities.delete(entity);
        }
    }

    private @Nullable EntityInShard takeOut(HostedEntity entity) {
        EntityInShard inShard = entitiesInShard.get(entity.id());
        if (inShard != null) {
            closeReceivers( // while there is a state: a released session counts in the memory budget
                    inShard,
                    inShard.state().receiverIds(),
                    new Rejection(
                            ErrorCode.ENTITY_NOT_FOUND, "The messaging entity '" + entity.path() + "' was deleted."));
            scheduler.forget(inShard);
            temporary.forget(inShard);
            entitiesInShard.remove(entity);
        }
        return inShard;
    }

    /** Deletes some of the messages of deleted subscriptions. Returns whether there were any. */
    boolean clearBacklog() {
        if (!backlog.hasWork(this::isAway)) {
            return false;
        }
        TopicInShard topic = backlog.clear(entitiesInShard::topic, this::isAway);
        if (topic != null) {
            scheduler.write(topic);
            scheduler.show(topic);
        }
        return true;
    }

    /**
     * Returns whether a topic is out of service, or was not found because a store was unavailable at startup. The
     * messages of its deleted subscriptions stay until it is back.
     */
    private boolean isAway(long topicId) {
        HostedEntity topic = entities.find(topicId);
        return topic == null ? entities.keepsUnknown() : damaged.contains(topic);
    }

    private void closeReceivers(EntityInShard inShard, Set<Long> ids, Rejection reason) {
        for (long id : ids) {
            receivers.close(id, reason);
            inShard.applier().apply(new Record.ReceiverDetached(id));
        }
        if (inShard.state().hasUnwritten()) {
            scheduler.write(inShard);
        }
    }
}
