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

/** All that is stored, found by number and by path. The simulator writes a path in one way only. */
public final class StoredEntities implements StoredEntity.Lookup {
    private static final String SUBSCRIPTIONS = "/Subscriptions/";
    private static final int FRAGMENT_BITS = 48;

    /** Also those that have gone, because what is left of them is cleared away later. */
    private final Map<Long, StoredEntity> byNumber = new LinkedHashMap<>();

    /** The same by the numbers of entities, of which each fragment has one of its own. */
    private final Map<Long, StoredEntity> byEntity = new HashMap<>();

    private final Map<String, List<StoredEntity>> byPath = new HashMap<>();
    private final Map<String, Set<String>> subscriptions = new HashMap<>();

    /** What was deleted in a turn that is not over. */
    private final List<StoredEntity> leaving = new ArrayList<>();

    /** The entity of an entity and fragment as {@link StoredEntity#key(long, int)} puts them together, or null if there was never one. */
    @Nullable
    public StoredEntity get(long key) {
        return byNumber.get(key);
    }

    /** The entity of a number of an entity or a fragment, or null if there was never one. */
    @Nullable
    public StoredEntity ofEntity(long entityId) {
        return byEntity.get(entityId);
    }

    public Collection<StoredEntity> all() {
        return byNumber.values();
    }

    /** The entities of an entity: one, or one for each fragment; none if there is no such entity. */
    @Override
    public List<StoredEntity> of(String path) {
        return byPath.getOrDefault(path, List.of());
    }

    /** The entity a number of an entity speaks of; null if there is no such entity. */
    @Override
    public @Nullable StoredEntity of(String path, long number) {
        List<StoredEntity> all = of(path);
        if (all.isEmpty() || !all.get(0).isFragment()) {
            return all.isEmpty() ? null : all.get(0);
        }
        return ofFragment(all, fragment(number));
    }

    /** The entity that has a session of an entity: of a partitioned one that of a fragment (PART-29). */
    @Override
    public @Nullable StoredEntity ofSession(String path, @Nullable String session) {
        List<StoredEntity> all = of(path);
        if (all.isEmpty() || !all.get(0).isFragment() || session == null) {
            return all.isEmpty() ? null : all.get(0);
        }
        return ofFragment(
                all, PartitionHash.fragment(session, all.get(0).settings.fragments()));
    }

    /** The youngest entity of a fragment: of an entity that was deleted another one may be there still. */
    private static @Nullable StoredEntity ofFragment(List<StoredEntity> all, int fragment) {
        StoredEntity found = null;
        for (StoredEntity entity : all) {
            found = entity.fragment == fragment ? entity : found;
        }
        return found;
    }

    /** SEQ-2: the fragment that a number speaks of. */
    public static int fragment(long number) {
        return (int) (number >>> FRAGMENT_BITS);
    }

    /** Whether a path is that of a partitioned entity that is there, or of what is left of one. */
    @Override
    public boolean isPartitioned(String path) {
        List<StoredEntity> all = of(path);
        return !all.isEmpty() && all.get(0).isFragment();
    }

    /** The paths of a topic's subscriptions. */
    public Set<String> subscriptions(String topic) {
        return subscriptions.getOrDefault(topic, Set.of());
    }

    /** The topic of a subscription; null of what is none. */
    public static @Nullable String topicOf(String path) {
        int at = path.indexOf(SUBSCRIPTIONS);
        return at < 0 ? null : path.substring(0, at);
    }

    /** Rows of an entity were deleted as a whole, so it must have gone. */
    public void requireGone(long id) {
        StoredEntity entity = ofEntity(id);
        if (entity != null && !entity.gone) {
            throw new Violation("Expected messages of '" + entity.path + "' to stay, but all were deleted.");
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

    /** An entity is there that has no path, or none yet. */
    public void number(StoredEntity entity) {
        byNumber.put(entity.key(), entity);
        byEntity.put(entity.entityId, entity);
    }

    /** An entity is deleted. What was done with it before is still to be told, so it is found until the turn is over. */
    public void remove(StoredEntity entity) {
        entity.gone = true;
        leaving.add(entity);
    }

    /** A turn of a store is over: the paths of what was deleted in it are free. */
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
