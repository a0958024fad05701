package dev.jitney.runtime;

import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.model.Rule;
import dev.jitney.runtime.rows.MadeNamespaceRow;
import dev.jitney.runtime.rows.NamespaceRow;
import dev.jitney.runtime.rows.StoreFault;
import dev.jitney.runtime.store.StoreException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the entities of a shard as a whole: they are taken over from the store, created, changed and removed, with
 * all that belongs to them in memory and in the store. For the shard's thread.
 */
final class EntityLifecycle {
    private final ShardWork shard;
    private final ShardEntities entities;
    private final ShardSlots slots;
    private final Agenda agenda;
    private final ShardReceivers receivers;
    private final TemporaryEntities temporary;
    private final Remains remains;
    private final DamagedEntities damaged;

    /** Those whose rows this shard keeps, if it is the first. */
    private @Nullable ServedNamespaces namespaces;

    EntityLifecycle(
            ShardWork shard,
            ShardEntities entities,
            ShardSlots slots,
            Agenda agenda,
            ShardReceivers receivers,
            TemporaryEntities temporary,
            Remains remains,
            DamagedEntities damaged) {
        this.shard = shard;
        this.entities = entities;
        this.slots = slots;
        this.agenda = agenda;
        this.receivers = receivers;
        this.temporary = temporary;
        this.remains = remains;
        this.damaged = damaged;
    }

    // --- taken over from the store ---

    /** Reads the entities of the store, before the shard runs. */
    List<EntityRow> load() {
        remains.load();
        return entities.load();
    }

    /** Takes over what the store has after a failure. */
    void reload() {
        slots.clear();
        remains.load();
        entities.reload().forEach(this::open);
        ServedNamespaces kept = namespaces;
        if (kept != null) {
            kept.follow(entities.madeNamespaces());
            kept.all().forEach(this::remember);
        }
    }

    /** Adds an entity that the store has. */
    void adopt(ServedEntity entity) {
        entities.adopt(entity);
        open(entity);
    }

    /**
     * Adds the namespaces that the store has, before entities are adopted; those that the configuration has taken over are
     * its from now on.
     */
    void load(ServedNamespaces served) throws StoreException {
        for (MadeNamespaceRow row : entities.madeNamespaces().values()) {
            if (!served.load(row)) {
                entities.handOver(row);
            }
        }
    }

    /** Takes over what the store has about namespaces, before the shard runs; what is new is written with the first batch. */
    void adopt(ServedNamespaces served) {
        namespaces = served;
        served.all().forEach(this::remember);
    }

    /** Adds a namespace that is made at run time. */
    void create(ServedNamespace namespace, MadeNamespaceRow row, List<AccessRule> rules) {
        ServedNamespaces kept = keptNamespaces();
        kept.begin(namespace);
        entities.putNamespace(namespace, NamespaceRow.made(rules, shard.nowMs()));
        entities.putMadeNamespace(row, () -> kept.serve(namespace));
    }

    /** A namespace that was made at run time is served no more. */
    void leave(ServedNamespace namespace) {
        MadeNamespaceRow made = namespace.made();
        if (made != null) {
            entities.putMadeNamespace(made.leave(), () -> keptNamespaces().leave(namespace));
        }
    }

    /** Nothing is left of a namespace that was made at run time. */
    void remove(ServedNamespace namespace) {
        entities.deleteNamespace(namespace, () -> keptNamespaces().remove(namespace));
    }

    private ServedNamespaces keptNamespaces() {
        ServedNamespaces kept = namespaces;
        if (kept == null) {
            throw new IllegalStateException("Expected the first shard, which keeps the namespaces.");
        }
        return kept;
    }

    private void remember(ServedNamespace namespace) {
        NamespaceRow stored = entities.namespace(namespace.name());
        NamespaceRow row = NamespaceRow.startingFrom(stored, namespace.options().accessRules(), shard.nowMs());
        namespace.settle(row);
        if (!row.equals(stored)) {
            entities.putNamespace(namespace, row);
        }
    }

    private void open(ServedEntity entity) {
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
        EntitySlot slot;
        try {
            slot = slots.open(entity, shard.nowMs());
        } catch (StoreFault e) {
            if (!DamagedEntities.isDamage(e)) {
                throw e;
            }
            contain(e);
            return;
        }
        slot.state.loadTransfers(shard.outbox().loadedCount(slot.state.id()));
        temporary.watch(slot);
        agenda.publish(slot);
        shard.wake(slot); // it may have messages to hand on
    }

    /** Takes an entity out of service of which a row is damaged. */
    void contain(StoreFault damage) {
        Long id = damage.entityId();
        ServedEntity found = id == null ? null : entities.find(id);
        if (found == null && id != null) {
            remains.giveUp(id); // it was deleted before all of it had gone
        }
        if (found == null) {
            return;
        }
        ServedEntity unit = DamagedEntities.unit(found);
        damaged.add(unit, damage.fault());
        if (unit instanceof ServedTopic topic) {
            topic.allSubscriptions().forEach(this::takeOutOfMemory);
        }
        takeOutOfMemory(unit);
    }

    private void takeOutOfMemory(ServedEntity entity) {
        EntitySlot slot = slots.remove(entity);
        if (slot != null) {
            agenda.forget(slot);
            temporary.forget(slot);
        }
    }

    /** Forgets what was damaged, before the store is read anew. */
    void giveAnotherChance() {
        damaged.clear();
        remains.giveAnotherChance();
    }

    // --- created ---

    /** @param template a row without an id */
    <E extends ServedEntity> E create(EntityRow template, Function<EntityRow, E> factory) {
        E entity = entities.create(template, shard.nowMs(), factory);
        serve(entity);
        return entity;
    }

    /** Numbers an entity that {@link #add} adds when its fragments are there. */
    <E extends ServedEntity> E reserve(EntityRow template, Function<EntityRow, E> factory) {
        return entities.reserve(template, shard.nowMs(), factory);
    }

    /** Adds an entity that was numbered before. */
    void add(ServedEntity entity) {
        entities.add(entity);
        serve(entity);
    }

    /** Adds a fragment of a partitioned entity. */
    ServedEntity createPart(ServedEntity whole, int fragment, LongFunction<ServedEntity> factory) {
        ServedEntity part = entities.createPart(whole, fragment, factory);
        part.list();
        serve(part);
        return part;
    }

    private void serve(ServedEntity entity) {
        EntitySlot slot = slots.create(entity);
        agenda.write(slot);
        temporary.watch(slot);
        agenda.alarms().arm(slot);
        if (slot.topic != null) {
            shard.touch(slot.topic); // IDLE-8
        }
    }

    // --- changed ---

    void update(ServedEntity entity, EntityDescription description) {
        entities.update(entity, description, shard.nowMs());
        follow(entity);
    }

    /** Has an entity do what its description says now. */
    void follow(ServedEntity entity) {
        EntityDescription description = entity.latest().description();
        EntitySlot slot = slots.get(entity.id());
        if (slot != null) {
            shard.apply(slot, List.of(new Record.QueueUpdated(entity.asQueue(), shard.nowMs())), false);
            shard.touch(slot);
            temporary.watch(slot);
            if (slot.topic != null) {
                slot.topic.listen(slot);
            }
            if (entity.asQueue().forwardTo() != null) {
                closeReceivers(slot, slot.state.receiverIds(Lane.MAIN), forwarded(description)); // FWD-7
            }
            if (entity.asQueue().forwardDeadLetteredMessagesTo() != null) {
                closeReceivers(slot, slot.state.receiverIds(Lane.DEAD_LETTER), forwarded(description));
            }
            if (!description.status().allowsReceive()) {
                suspend(
                        slot,
                        new Rejection(
                                ErrorCode.ENTITY_DISABLED,
                                "Messaging entity '" + description.path() + "' is currently disabled."));
            }
            shard.wake(slot);
        }
    }

    /** Nothing is received any more; who holds a session keeps it for what is left of its lock (SUSP-5). */
    private void suspend(EntitySlot slot, Rejection reason) {
        Set<Long> holders = slot.state.sessionHolderIds();
        for (long id : holders) {
            receivers.suspend(id, reason);
            slot.applier.apply(new Record.CreditSet(id, 0, false));
        }
        Set<Long> others = new HashSet<>(slot.state.receiverIds());
        others.removeAll(holders);
        closeReceivers(slot, others, reason);
    }

    private static Rejection forwarded(EntityDescription description) {
        return new Rejection(
                ErrorCode.INVALID_OPERATION,
                "Messages of '" + description.path() + "' are forwarded to another entity now. Receive them there.");
    }

    /** Adds a rule to a subscription or changes it; messages taken from now on are judged by it (RULE-11). */
    void putRule(ServedSubscription subscription, Rule rule) {
        boolean isNew = subscription.rule(rule.description().name()) == null;
        entities.putRule(subscription, rule);
        EntitySlot slot = slots.get(subscription.id());
        if (slot != null && slot.topic != null) {
            slot.topic.putRule(subscription.id(), rule.description());
            shard.touch(isNew ? slot : slot.topic); // IDLE-9: only new rules
        }
    }

    /** Removes a rule of a subscription. */
    void deleteRule(ServedSubscription subscription, String name) {
        entities.deleteRule(subscription, name);
        EntitySlot slot = slots.get(subscription.id());
        if (slot != null && slot.topic != null) {
            slot.topic.removeRule(subscription.id(), name);
            shard.touch(slot.topic);
        }
    }

    /** Has messages that the fragment of a subscription takes from now on judged by a rule of the whole, or no more. */
    void followRule(ServedSubscription part, String name, @Nullable Rule rule) {
        EntitySlot slot = slots.get(part.id());
        if (slot != null && slot.topic != null && rule != null) {
            slot.topic.putRule(part.id(), rule.description());
        } else if (slot != null && slot.topic != null) {
            slot.topic.removeRule(part.id(), name);
        }
    }

    // --- removed ---

    /** Deletes an entity because somebody asked for it. */
    void delete(ServedEntity entity) {
        EntitySlot slot = slots.get(entity.id());
        if (slot != null && slot.topic != null) {
            shard.touch(slot.topic); // IDLE-8
        }
        remove(entity);
    }

    /** Deletes an entity because nobody has used it (IDLE-13). */
    void deleteIdle(ServedEntity entity) {
        remove(entity);
        PartitionedChanges.deletePartsAfter(shard, entity);
    }

    /** Deletes an entity with everything in it, a topic with its subscriptions. */
    private void remove(ServedEntity entity) {
        boolean abandoned = damaged.contains(entity);
        damaged.forget(entity);
        if (entity instanceof ServedTopic topic) {
            for (ServedSubscription subscription : topic.allSubscriptions()) {
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
        EntitySlot slot = takeOut(entity);
        if (abandoned) {
            entities.abandon(entity);
        } else if (slot != null && slot.topic != null && slot.state.counts().total() > 0) {
            entities.deleteLeaving(entity, () -> remains.leave(entity.id(), slot.topic.entity.id()));
        } else {
            entities.delete(entity);
        }
    }

    private @Nullable EntitySlot takeOut(ServedEntity entity) {
        EntitySlot slot = slots.remove(entity);
        if (slot != null) {
            closeReceivers(
                    slot,
                    slot.state.receiverIds(),
                    new Rejection(
                            ErrorCode.ENTITY_NOT_FOUND, "The messaging entity '" + entity.path() + "' was deleted."));
            agenda.forget(slot);
            temporary.forget(slot);
        }
        return slot;
    }

    /** Takes away a slice of what deleted subscriptions left; returns whether there was some. */
    boolean clearRemains() {
        if (!remains.hasWork(this::isAway)) {
            return false;
        }
        TopicSlot topic = remains.clear(slots::topic, this::isAway);
        if (topic != null) {
            agenda.write(topic);
            agenda.show(topic);
        }
        return true;
    }

    /** Whether a topic is out of service: what its deleted subscriptions have left waits for it. */
    private boolean isAway(long topicId) {
        ServedEntity topic = entities.find(topicId);
        return topic != null && damaged.contains(topic);
    }

    private void closeReceivers(EntitySlot slot, Set<Long> ids, Rejection reason) {
        for (long id : ids) {
            receivers.close(id, reason);
            slot.applier.apply(new Record.ReceiverDetached(id));
        }
        if (slot.state.hasUnwritten()) {
            agenda.write(slot);
        }
    }
}
