package dev.jitney.simulation.model;

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
final class Shelves {
    private static final String SUBSCRIPTIONS = "/Subscriptions/";
    private static final int FRAGMENT_BITS = 48;

    /** Also those that have gone, because what is left of them is cleared away later. */
    private final Map<Long, Shelf> byNumber = new LinkedHashMap<>();

    /** The same by the numbers of entities, of which each fragment has one of its own. */
    private final Map<Long, Shelf> byEntity = new HashMap<>();

    private final Map<String, List<Shelf>> byPath = new HashMap<>();
    private final Map<String, Set<String>> subscriptions = new HashMap<>();

    /** What was deleted in a turn that is not over. */
    private final List<Shelf> leaving = new ArrayList<>();

    /** The shelf of an entity and fragment as {@link #key} puts them together, or null if there was never one. */
    @Nullable
    Shelf get(long key) {
        return byNumber.get(key);
    }

    static long key(long entityId, int fragment) {
        return entityId << 16 | fragment;
    }

    /** The shelf of a number of an entity or a fragment, or null if there was never one. */
    @Nullable
    Shelf ofEntity(long entityId) {
        return byEntity.get(entityId);
    }

    Collection<Shelf> all() {
        return byNumber.values();
    }

    /** The shelves of an entity: one, or one for each fragment; none if there is no such entity. */
    List<Shelf> of(String path) {
        return byPath.getOrDefault(path, List.of());
    }

    /** The shelf a number of an entity speaks of; null if there is no such entity. */
    @Nullable
    Shelf of(String path, long number) {
        List<Shelf> all = of(path);
        if (all.isEmpty() || !all.get(0).isPart()) {
            return all.isEmpty() ? null : all.get(0);
        }
        return ofFragment(all, fragment(number));
    }

    /** The shelf that has a session of an entity: of a partitioned one that of a fragment (PART-29). */
    @Nullable
    Shelf ofSession(String path, @Nullable String session) {
        List<Shelf> all = of(path);
        if (all.isEmpty() || !all.get(0).isPart() || session == null) {
            return all.isEmpty() ? null : all.get(0);
        }
        return ofFragment(all, Keys.fragment(session, all.get(0).settings.fragments()));
    }

    /** The youngest shelf of a fragment: of an entity that was deleted another one may be there still. */
    private static @Nullable Shelf ofFragment(List<Shelf> all, int fragment) {
        Shelf found = null;
        for (Shelf shelf : all) {
            found = shelf.fragment == fragment ? shelf : found;
        }
        return found;
    }

    /** SEQ-2: the fragment that a number speaks of. */
    static int fragment(long number) {
        return (int) (number >>> FRAGMENT_BITS);
    }

    /** Whether a path is that of a partitioned entity that is there, or of what is left of one. */
    boolean isPartitioned(String path) {
        List<Shelf> all = of(path);
        return !all.isEmpty() && all.get(0).isPart();
    }

    /** The paths of a topic's subscriptions. */
    Set<String> subscriptions(String topic) {
        return subscriptions.getOrDefault(topic, Set.of());
    }

    /** The topic of a subscription; null of what is none. */
    static @Nullable String topicOf(String path) {
        int at = path.indexOf(SUBSCRIPTIONS);
        return at < 0 ? null : path.substring(0, at);
    }

    void add(Shelf shelf) {
        clear(leaving.stream().filter(gone -> gone.path.equals(shelf.path)).toList());
        number(shelf);
        byPath.computeIfAbsent(shelf.path, path -> new ArrayList<>()).add(shelf);
        String topic = topicOf(shelf.path);
        if (topic != null) {
            subscriptions.computeIfAbsent(topic, path -> new LinkedHashSet<>()).add(shelf.path);
        }
    }

    /** A shelf is there that has no path, or none yet. */
    void number(Shelf shelf) {
        byNumber.put(shelf.key(), shelf);
        byEntity.put(shelf.entityId, shelf);
    }

    /** An entity is deleted. What was done with it before is still to be told, so it is found until the turn is over. */
    void remove(Shelf shelf) {
        shelf.gone = true;
        leaving.add(shelf);
    }

    /** A turn of a store is over: the paths of what was deleted in it are free. */
    void turnEnds(int store) {
        if (!leaving.isEmpty()) {
            clear(leaving.stream().filter(shelf -> shelf.store == store).toList());
        }
    }

    private void clear(List<Shelf> gone) {
        for (Shelf shelf : gone) {
            leaving.remove(shelf);
            shelf.clear();
            List<Shelf> all = byPath.get(shelf.path);
            if (all != null && all.remove(shelf) && all.isEmpty()) {
                byPath.remove(shelf.path);
                subscriptions.values().forEach(of -> of.remove(shelf.path));
            }
        }
    }
}
