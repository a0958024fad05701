package dev.jitney.runtime.shard.entity;

import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.rule.Rule;
import dev.jitney.runtime.Documents;
import dev.jitney.runtime.KeySeal;
import dev.jitney.runtime.rows.ConfigurationsRow;
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
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The entities of one shard and the rows that describe them. A change takes effect in the shard at once and is
 * published after its commit. For the shard's thread.
 */
public final class ShardEntities {
    private static final long LOCAL_ID_MAX = (1 << 24) - 1;

    private final int shardIndex;
    private final StoreRowWriter writer;
    private final StoreRowReader reader;

    /** All entities of the store, including those whose creation or deletion is not committed yet. */
    private final Map<Long, HostedEntity> served = new HashMap<>();

    /** The entities whose deletion waits for its commit. */
    private final Set<Long> deleted = new HashSet<>();

    private final List<Runnable> onceDurable = new ArrayList<>();
    private long lastId;

    /** True if unknown rows may belong to an entity of a store that was unavailable at startup. */
    private boolean keepsUnknown;

    /** @param shardIndex the position of the store among the stores, from 0 */
    public ShardEntities(int shardIndex, StoreRowWriter writer, StoreRowReader reader) {
        this.shardIndex = shardIndex;
        this.writer = writer;
        this.reader = reader;
    }

    /** Reads the stored entities, topics before their subscriptions. */
    public List<EntityRow> load() {
        boolean sealed = reader.isSealed();
        lastId = reader.lastEntityId();
        List<EntityRow> rows = reader.entities();
        if (!sealed) {
            seal(rows);
        }
        return rows;
    }

    /** Writes all access keys again, encrypted with the current key of the operator or not at all, in one batch. */
    private void seal(List<EntityRow> rows) {
        for (EntityRow row : rows) {
            if (!row.description().accessRules().isEmpty()) {
                writer.putEntity(row);
            }
        }
        reader.namespaces().forEach(writer::putNamespace);
        writer.putSeal();
    }

    /** Returns the seal that encrypts the keys of access rules. */
    public KeySeal seal() {
        return writer.seal();
    }

    /** Returns the stored row of a namespace, or null. */
    public @Nullable NamespaceRow namespace(String name) {
        return reader.namespace(name);
    }

    /** Returns the configurations of a namespace that a cluster has applied. */
    public ConfigurationsRow configurations(String name) {
        return reader.configurations(name);
    }

    /** Writes the configurations of a namespace that a cluster has applied. */
    public void putConfigurations(String name, ConfigurationsRow row) {
        writer.putConfigurations(name, row);
    }

    /**
     * Writes the level of the data (CL-60). For the first shard.
     *
     * @param whenDurable called once the row is durable
     */
    public void putLevel(int level, Runnable whenDurable) {
        writer.putLevel(level);
        onceDurable.add(whenDurable);
    }

    /** Returns whether this store can number one more entity. */
    public boolean hasIds() {
        return lastId < LOCAL_ID_MAX;
    }

    /** Returns whether the entity exists. A deletion counts at once, committed or not. */
    public boolean isServed(HostedEntity entity) {
        return served.get(entity.id()) == entity && !deleted.contains(entity.id());
    }

    /** Returns the entity of that number, or null. */
    public @Nullable HostedEntity find(long entityId) {
        return served.get(entityId);
    }

    /** Returns whether its deletion waits for the commit. */
    public boolean isLeaving(HostedEntity entity) {
        return deleted.contains(entity.id());
    }

    /** Adds an entity that is already stored. */
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

    /** Reserves a number for an entity that is added later, once all its parts exist. */
    public <E extends HostedEntity> E reserve(EntityRow template, long nowMs, Function<EntityRow, E> factory) {
        return factory.apply(new EntityRow(nextId(), template.namespace(), template.description(), nowMs, nowMs));
    }

    /** Adds an entity whose number was reserved. */
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

    /** Returns the stored fragments. */
    public List<PartRow> parts() {
        return reader.parts();
    }

    /** Keeps unknown rows from now on instead of deleting them. */
    public void keepUnknown() {
        keepsUnknown = true;
    }

    /** Returns whether a topic may be unknown only because its store was unavailable at startup. */
    public boolean keepsUnknown() {
        return keepsUnknown;
    }

    /** Returns whether the store has a fragment of that number of a topic. */
    public boolean hasTopicFragment(int fragment) {
        return served.values().stream()
                .anyMatch(entity ->
                        entity instanceof HostedTopic && entity.isFragment() && entity.fragment() == fragment);
    }

    /** Deletes a fragment that belongs to no entity and shares no bodies. */
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

    /** Deletes an entity but keeps its rows, because some are corrupt. Its number is never used again. */
    public void abandon(HostedEntity entity) {
        deleteLeaving(entity, () -> writer.abandonEntity(entity.id()));
    }

    /** @param deletingRows deletes at least the rows that describe it */
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

    /** Returns the stored namespaces created at run time, by their names in lower case. */
    public Map<String, MadeNamespaceRow> madeNamespaces() {
        return reader.madeNamespaces();
    }

    /** Removes the row of a namespace created at run time, because it is part of the configuration now. */
    public void handOver(MadeNamespaceRow row) {
        writer.deleteMadeNamespace(row.name());
    }

    /** Stores a namespace created at run time. */
    public void putMadeNamespace(MadeNamespaceRow row, Runnable whenDurable) {
        writer.putMadeNamespace(row);
        onceDurable.add(whenDurable);
    }

    /** Deletes the rows of a namespace created at run time. */
    public void deleteNamespace(String name, Runnable whenDurable) {
        writer.deleteMadeNamespace(name);
        writer.deleteNamespace(name);
        writer.deleteDocuments(name);
        onceDurable.add(whenDurable);
    }

    /** Writes the row of a namespace. */
    public void putNamespace(String name, NamespaceRow row, Runnable whenDurable) {
        writer.putNamespace(name, row);
        onceDurable.add(whenDurable);
    }

    /** Writes a document of a namespace. */
    public void putDocument(String namespace, Documents.Kind kind, long id, byte[] content) {
        writer.putDocument(namespace, kind, id, content);
    }

    /**
     * Deletes documents of a namespace.
     *
     * @param to the first id that stays
     */
    public void deleteDocuments(String namespace, Documents.Kind kind, long from, long to) {
        writer.deleteDocuments(namespace, kind, from, to);
    }

    /** Returns documents of a namespace in the order of their ids, from an id on. */
    public List<Documents.Document> documents(String namespace, Documents.Kind kind, long from, int max) {
        return reader.documents(namespace, kind, from, max);
    }

    /** Handles a successful commit: publishes the changes. */
    public void settle() {
        if (!onceDurable.isEmpty()) {
            onceDurable.forEach(Runnable::run);
            onceDurable.clear();
        }
    }

    /** Handles a failed commit: drops the changes. */
    public void forgetChanges() {
        onceDurable.clear();
        deleted.clear();
    }

    /**
     * Reloads the entities after a failure. A failed commit may have happened, so only the store has the entities that
     * were created, changed and deleted.
     *
     * @param orphans deletes a fragment that belongs to no entity
     * @return the entities that exist
     */
    public List<HostedEntity> reload(Consumer<PartRow> orphans) {
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
                        "The store contains the entity '" + row.description().path()
                                + "', which this server did not load"
                                + " because the store was unavailable at startup. Restart the server."));
            }
        }
        for (PartRow row : reader.parts()) {
            HostedEntity part = served.get(row.entityId());
            if (part == null && keepsUnknown) {
                continue;
            } else if (part == null || part.isOrphan()) {
                orphans.accept(row); // its creation failed or its whole was deleted, while the store did not work
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

    /** Returns the index of the shard that created an entity's id. */
    public static int shardOf(long entityId) {
        return (int) (entityId >>> 24);
    }

    /**
     * Returns the id for the whole broker. Ids of different shards differ in the upper byte, which is the shard's
     * index.
     */
    private long globalId(long local) {
        if (local > LOCAL_ID_MAX) {
            throw new IllegalStateException(
                    "Expected at most " + LOCAL_ID_MAX + " entities in the lifetime of a store.");
        }
        return ((long) shardIndex << 24) | local;
    }
}
