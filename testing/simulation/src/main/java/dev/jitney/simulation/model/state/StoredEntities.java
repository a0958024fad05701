package dev.jitney.simulation.model.state;

import dev.jitney.simulation.Violation;
import dev.jitney.simulation.model.row.PartitionHash;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All stored entities, by number and by path. The simulator spells each path in one way only. */
public final class StoredEntities implements StoredEntity.Lookup {
    private static final String SUBSCRIPTIONS = "/Subscriptions/";
    private static final int FRAGMENT_BITS = 48;

    /** The entities and fragments by key, including deleted ones, because their remaining rows are deleted later. */
    private final Map<Long, StoredEntity> byNumber = new LinkedHashMap<>();

    /** The entities and fragments by entity number. Each fragment has its own number. */
    private final Map<Long, StoredEntity> byEntity = new HashMap<>();

    private final Map<String, List<StoredEntity>> byPath = new HashMap<>();
    private final Map<String, Set<String>> subscriptions = new HashMap<>();

    /** The entities deleted in the current turn. */
    private final List<StoredEntity> leaving = new ArrayList<>();

    /** Returns the entity or fragment for a key of {@link StoredEntity#key(long, int)}, or null if none has existed. */
    @Nullable
    public StoredEntity get(long key) {
        return byNumber.get(key);
    }

    /** Returns the entity or fragment with an entity number, or null if none has existed. */
    @Nullable
    public StoredEntity ofEntity(long entityId) {
        return byEntity.get(entityId);
    }

    public Collection<StoredEntity> all() {
        return byNumber.values();
    }

    /** Returns the parts of an entity: one, or one for each fragment; an empty list if the entity does not exist. */
    @Override
    public List<StoredEntity> of(String path) {
        return byPath.getOrDefault(path, List.of());
    }

    /** Returns the part of an entity that a sequence number belongs to; null if the entity does not exist. */
    @Override
    public @Nullable StoredEntity of(String path, long number) {
        List<StoredEntity> all = of(path);
        if (all.isEmpty() || !all.get(0).isFragment()) {
            return all.isEmpty() ? null : all.get(0);
        }
        return ofFragment(all, fragment(number));
    }

    /** Returns the part of an entity that has a session; in a partitioned entity, this is a fragment (PART-29). */
    @Override
    public @Nullable StoredEntity ofSession(String path, @Nullable String session) {
        List<StoredEntity> all = of(path);
        if (all.isEmpty() || !all.get(0).isFragment() || session == null) {
            return all.isEmpty() ? null : all.get(0);
        }
        return ofFragment(
                all, PartitionHash.fragment(session, all.get(0).settings.fragments()));
    }

    /** Returns the newest fragment with an index. An older one of a deleted entity may still exist. */
    private static @Nullable StoredEntity ofFragment(List<StoredEntity> all, int fragment) {
        StoredEntity found = null;
        for (StoredEntity entity : all) {
            found = entity.fragment == fragment ? entity : found;
        }
        return found;
    }

    /** Returns the fragment index in a sequence number (SEQ-2). */
    public static int fragment(long number) {
        return (int) (number >>> FRAGMENT_BITS);
    }

    /** Returns whether a path belongs to a partitioned entity, including one whose fragments are being deleted. */
    @Override
    public boolean isPartitioned(String path) {
        List<StoredEntity> all = of(path);
        return !all.isEmpty() && all.get(0).isFragment();
    }

    /** Returns the paths of a topic's subscriptions. */
    public Set<String> subscriptions(String topic) {
        return subscriptions.getOrDefault(topic, Set.of());
    }

    /** Returns the topic of a subscription; null for other paths. */
    public static @Nullable String topicOf(String path) {
        int at = path.indexOf(SUBSCRIPTIONS);
        return at < 0 ? null : path.substring(0, at);
    }

    /** Checks that an entity was deleted, because all its rows were deleted. */
    public void requireGone(long id) {
        StoredEntity entity = ofEntity(id);
        if (entity != null && !entity.gone) {
            throw new Violation("Expected messages of '" + entity.path + "' to exist, but all were deleted.");
        }
    }

    public void add(StoredEntity entity) {
        clear(leaving.stream().filter(gone -> gone.path.equals(entity.path)).toList());
        number(entity);
        byPath.computeIfAbsent(entity.path, path -> new ArrayList<>()).add(entity);
        String topic = topicOf(entity.path);
        if (topic != null) {
            subscriptions.computeIfAbsent(topic, path -> new LinkedHashSet<>()).add(entity.path);
        }
    }

    /** Adds an entity without a path, or a fragment whose path is not known yet. */
    public void number(StoredEntity entity) {
        byNumber.put(entity.key(), entity);
        byEntity.put(entity.entityId, entity);
    }

    /**
     * Deletes an entity. It remains available until the end of the turn, because earlier replies about it are still
     * pending.
     */
    public void remove(StoredEntity entity) {
        entity.gone = true;
        leaving.add(entity);
    }

    /** Removes the entities deleted in a turn of a store from their paths. */
    public void turnEnds(int store) {
        if (!leaving.isEmpty()) {
            clear(leaving.stream().filter(entity -> entity.store == store).toList());
        }
    }

    private void clear(List<StoredEntity> gone) {
        for (StoredEntity entity : gone) {
            leaving.remove(entity);
            entity.clear();
            List<StoredEntity> all = byPath.get(entity.path);
            if (all != null && all.remove(entity) && all.isEmpty()) {
                byPath.remove(entity.path);
                subscriptions.values().forEach(of -> of.remove(entity.path));
            }
        }
    }
}
