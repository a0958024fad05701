package dev.jitney.runtime.shard.entity;

import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.rule.Rule;
import dev.jitney.runtime.rows.MadeNamespaceRow;
import dev.jitney.runtime.rows.NamespaceRow;
import dev.jitney.runtime.rows.PartRow;
import dev.jitney.runtime.rows.StoreFault;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowWriter;
import dev.jitney.runtime.store.StoreException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The entities of one shard and the rows that describe them. A change is made in the shard at once and shown to the world
 * when its commit has succeeded. For the shard's thread.
 */
public final class ShardEntities {
    private static final long LOCAL_ID_MAX = (1 << 24) - 1;

    private final int shardIndex;
    private final StoreRowWriter writer;
    private final StoreRowReader reader;

    /** All entities of the store, and those of which it is not known yet whether they are in it. */
    private final Map<Long, HostedEntity> served = new HashMap<>();

    /** Those of them whose deletion waits for its commit. */
    private final Set<Long> deleted = new HashSet<>();

    private final List<Runnable> onceDurable = new ArrayList<>();
    private long lastId;

    /** Whether what nobody knows here may belong to an entity of a store that was away when the server started. */
    private boolean keepsUnknown;

    /** @param shardIndex the place of the store among the stores, from 0 */
    public ShardEntities(int shardIndex, StoreRowWriter writer, StoreRowReader reader) {
        this.shardIndex = shardIndex;
        this.writer = writer;
        this.reader = reader;
    }

    /** Reads what the store has, topics before their subscriptions. */
    public List<EntityRow> load() {
        lastId = reader.lastEntityId();
        return reader.entities();
    }

    /** What the store remembers about a namespace, or null. */
    public @Nullable NamespaceRow namespace(String name) {
        return reader.namespace(name);
    }

    /** Whether this store can number one more entity. */
    public boolean hasIds() {
        return lastId < LOCAL_ID_MAX;
    }

    /** Whether it is there; not once it is deleted, committed or not. */
    public boolean isServed(HostedEntity entity) {
        return served.get(entity.id()) == entity && !deleted.contains(entity.id());
    }

    /** The entity of that number; null if it is not there. */
    public @Nullable HostedEntity find(long entityId) {
        return served.get(entityId);
    }

    /** Whether its deletion waits for the commit. */
    public boolean isLeaving(HostedEntity entity) {
        return deleted.contains(entity.id());
    }

    /** Adds an entity that the store has. */
    public void adopt(HostedEntity entity) {
        served.put(entity.id(), entity);
        if (entity instanceof HostedSubscription subscription) {
            subscription.loadRules(reader.rules(entity.id()));
        }
        entity.settle();
    }

    /** @param template a row without an id */
    public <E extends HostedEntity> E create(EntityRow template, long nowMs, Function<EntityRow, E> factory) {
        E entity = reserve(template, nowMs, factory);
        add(entity);
        return entity;
    }

    /** Numbers an entity that is added later, once all that belongs to it is there. */
    public <E extends HostedEntity> E reserve(EntityRow template, long nowMs, Function<EntityRow, E> factory) {
        return factory.apply(new EntityRow(nextId(), template.namespace(), template.description(), nowMs, nowMs));
    }

    /** Adds an entity that has its number. */
    public void add(HostedEntity entity) {
        served.put(entity.id(), entity);
        writer.putEntity(entity.latest());
        onceDurable.add(entity::settle);
    }

    /** Adds a fragment of a partitioned entity. */
    public <E extends HostedEntity> E createPart(HostedEntity whole, int fragment, LongFunction<E> factory) {
        E part = factory.apply(nextId());
        served.put(part.id(), part);
        writer.putPart(new PartRow(part.id(), whole.id(), fragment));
        onceDurable.add(part::settle);
        return part;
    }

    private long nextId() {
        long id = globalId(lastId + 1);
        lastId++;
        writer.putLastEntityId(lastId);
        return id;
    }

    /** The fragments that the store has. */
    public List<PartRow> parts() {
        return reader.parts();
    }

    /** From now on nothing is taken away because nobody knows it. */
    public void keepUnknown() {
        keepsUnknown = true;
    }

    /** Takes away a fragment that belongs to nothing. */
    public void discard(PartRow part) {
        writer.deleteEntity(part.entityId());
        writer.deletePart(part.entityId());
    }

    /** Changes the description of an entity. */
    public EntityRow update(HostedEntity entity, EntityDescription description, long nowMs) {
        EntityRow old = entity.latest();
        EntityRow row = new EntityRow(entity.id(), old.namespace(), description, old.createdAtMs(), nowMs);
        writer.putEntity(row);
        entity.change(row);
        onceDurable.add(entity::settle);
        return row;
    }

    /** Deletes an entity with its rows. */
    public void delete(HostedEntity entity) {
        deleteLeaving(entity, () -> writer.deleteEntity(entity.id()));
    }

    /** Deletes an entity but leaves its rows where they are, because some of them are damaged; nobody gets its number again. */
    public void abandon(HostedEntity entity) {
        deleteLeaving(entity, () -> writer.abandonEntity(entity.id()));
    }

    /** @param deletingRows takes away the rows that describe it, at least */
    public void deleteLeaving(HostedEntity entity, Runnable deletingRows) {
        deletingRows.run();
        if (entity.isFragment()) {
            writer.deletePart(entity.id());
        }
        deleted.add(entity.id());
        onceDurable.add(() -> {
            deleted.remove(entity.id());
            served.remove(entity.id());
            entity.unlist();
        });
    }

    /** Adds or replaces a rule of a subscription. */
    public void putRule(HostedSubscription subscription, Rule rule) {
        writer.putRule(subscription.id(), rule);
        subscription.changeRule(rule);
        onceDurable.add(() -> subscription.settleRule(rule.description().name()));
    }

    /** Removes a rule of a subscription. */
    public void deleteRule(HostedSubscription subscription, String name) {
        writer.deleteRule(subscription.id(), name);
        subscription.removeRule(name);
        onceDurable.add(() -> subscription.settleRule(name));
    }

    /** The namespaces made at run time that the store has, by the comparison forms of their names. */
    public Map<String, MadeNamespaceRow> madeNamespaces() {
        return reader.madeNamespaces();
    }

    /** A namespace that was made at run time is one of the configuration now. */
    public void handOver(MadeNamespaceRow row) {
        writer.deleteMadeNamespace(row.name());
    }

    /** Remembers that a namespace was made at run time. */
    public void putMadeNamespace(MadeNamespaceRow row, Runnable whenDurable) {
        writer.putMadeNamespace(row);
        onceDurable.add(whenDurable);
    }

    /** Forgets a namespace that was made at run time. */
    public void deleteNamespace(String name, Runnable whenDurable) {
        writer.deleteMadeNamespace(name);
        writer.deleteNamespace(name);
        onceDurable.add(whenDurable);
    }

    /** Writes what the store remembers about a namespace. */
    public void putNamespace(String name, NamespaceRow row, Runnable whenDurable) {
        writer.putNamespace(name, row);
        onceDurable.add(whenDurable);
    }

    /** The commit has succeeded. */
    public void settle() {
        if (!onceDurable.isEmpty()) {
            onceDurable.forEach(Runnable::run);
            onceDurable.clear();
        }
    }

    /** The commit has failed. */
    public void forgetChanges() {
        onceDurable.clear();
        deleted.clear();
    }

    /**
     * Takes over what the store has after a failure: a failed commit may have happened, so only the store knows which
     * entities were created, changed and deleted.
     *
     * @return the entities that are there
     */
    public List<HostedEntity> reload() {
        Set<Long> gone = new HashSet<>(served.keySet());
        List<HostedEntity> there = new ArrayList<>();
        for (EntityRow row : load()) {
            HostedEntity entity = served.get(row.entityId());
            if (entity != null) {
                gone.remove(row.entityId());
                EntityDescription shown = entity.description();
                List<Rule> shownRules = entity.rules();
                entity.change(row);
                adopt(entity);
                entity.catchUpFragments(shown, shownRules);
                there.add(entity);
            } else if (keepsUnknown) {
                throw new StoreFault(new StoreException(
                        StoreException.Reason.IO,
                        "The store has the entity '" + row.description().path() + "', which this server does not know,"
                                + " since the store was away when it started. Restart the server."));
            }
        }
        for (PartRow row : reader.parts()) {
            HostedEntity part = served.get(row.entityId());
            if (part == null && keepsUnknown) {
                continue;
            } else if (part == null || part.isOrphan()) {
                discard(row); // its creation was given up, or its whole was deleted, while the store did not work
            } else {
                gone.remove(row.entityId());
                adopt(part);
                there.add(part);
            }
        }
        for (long id : gone) {
            HostedEntity entity = served.remove(id);
            if (entity != null) {
                entity.unlist();
                entity.deleteFragments();
            }
        }
        there.forEach(HostedEntity::list);
        return there;
    }

    /** Which shard has given out an entity's id. */
    public static int shardOf(long entityId) {
        return (int) (entityId >>> 24);
    }

    /** Ids of several shards never meet: the upper byte is the shard's. */
    private long globalId(long local) {
        if (local > LOCAL_ID_MAX) {
            throw new IllegalStateException("Expected at most " + LOCAL_ID_MAX + " entities ever per store.");
        }
        return ((long) shardIndex << 24) | local;
    }
}
