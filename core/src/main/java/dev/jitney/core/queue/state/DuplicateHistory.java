package dev.jitney.core.queue.state;

import dev.jitney.core.AcceptedId;
import dev.jitney.core.DuplicateKey;
import dev.jitney.core.FragmentId;
import dev.jitney.core.RowReader;
import dev.jitney.core.duplicate.DuplicatesView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The message ids that a fragment has accepted. They are in the store. Memory holds the uncommitted ones, a few numbers
 * about the others, and a filter of each generation that began after the start, which says that most new ids are not in it.
 * Changed only by records; for the shard's thread.
 */
final class DuplicateHistory implements DuplicatesView {
    /*
     * Ids live in generations. The open generation gets all new ids. When it is as old as half a window, the next id
     * opens another one. A generation is deleted as a whole when its last id has left the window. Two or three exist at a
     * time (a few more after the window was changed), and a new id is searched in each of them. The filter of a generation
     * answers most searches. Without one, because the generation began before the start or memory is short, a search is a
     * lookup in the store. So a broker that has run for one and a half windows needs few lookups.
     *
     * The obvious alternative is one table by id and one by time, from which old ids are deleted one by one. It writes
     * four rows for each id instead of one, half of them at random places, stores every id twice, and has a backlog of
     * deletions after a long stop. Here one range delete removes a generation of any size, at the price of keeping ids
     * for up to one and a half windows. The age of an id, which decides whether it counts, is measured by its own time
     * and never by the time of its generation.
     */

    /** The maximum size of a map that is kept for reuse, so that clearing it stays cheap. */
    private static final int UNCOMMITTED_KEPT_MAX = 4_096;

    private final FragmentId fragment;
    private final MemoryBudget budget;

    /** Oldest first. */
    private final List<Generation> generations = new ArrayList<>();

    private Map<DuplicateKey, AcceptedId> uncommitted = new HashMap<>();
    private int uncommittedMax;

    /** The ids accepted from a time on. */
    private static final class Generation {
        final long startMs;

        /** No id of the generation was accepted later. */
        long lastAcceptedMs;

        /** All ids of the generation; null if only the store knows them. */
        @Nullable
        IdFilter ids;

        Generation(long startMs, long lastAcceptedMs, @Nullable IdFilter ids) {
            this.startMs = startMs;
            this.lastAcceptedMs = lastAcceptedMs;
            this.ids = ids;
        }

        void add(DuplicateKey key) {
            if (ids != null && !ids.add(key)) {
                ids = null;
            }
        }

        boolean mayContain(DuplicateKey key) {
            return ids == null || ids.mayContain(key);
        }

        void release() {
            if (ids != null) {
                ids.release();
            }
        }
    }

    DuplicateHistory(FragmentId fragment, MemoryBudget budget) {
        this.fragment = fragment;
        this.budget = budget;
    }

    /**
     * Loads the generations from the store.
     *
     * @param nowMs no id was accepted later, unless the clock was set back between two starts
     * @param windowMs the current window; a generation takes ids for half of it, also if the clock was set back
     */
    void load(RowReader rows, long nowMs, long windowMs) {
        for (long startMs : rows.acceptedIdGenerations(fragment)) {
            if (!generations.isEmpty()) {
                newest().lastAcceptedMs = startMs; // later ids are in the next generation
            }
            generations.add(new Generation(startMs, Math.max(startMs + windowMs / 2, nowMs), null));
        }
    }

    /** Adds an id. */
    void accept(AcceptedId id) {
        if (generations.isEmpty() || newest().startMs < id.generationMs()) {
            generations.add(new Generation(id.generationMs(), id.acceptedAtMs(), new IdFilter(budget)));
        }
        Generation open = newest();
        open.lastAcceptedMs = Math.max(open.lastAcceptedMs, id.acceptedAtMs());
        open.add(id.key());
        uncommitted.put(id.key(), id);
        uncommittedMax = Math.max(uncommittedMax, uncommitted.size());
    }

    /** Removes a generation. */
    void forget(long generationMs) {
        generations.stream().filter(one -> one.startMs == generationMs).forEach(Generation::release);
        generations.removeIf(one -> one.startMs == generationMs);
        uncommitted.values().removeIf(id -> id.generationMs() == generationMs);
    }

    /** Releases the memory of all filters; the history must not be used afterwards. */
    void discard() {
        generations.forEach(Generation::release);
    }

    /** Marks all ids accepted so far as stored. */
    void committed() {
        if (uncommittedMax > UNCOMMITTED_KEPT_MAX) {
            uncommitted = new HashMap<>();
        } else if (uncommittedMax > 0) {
            uncommitted.clear();
        }
        uncommittedMax = 0;
    }

    @Override
    public @Nullable AcceptedId find(DuplicateKey key, long nowMs, long windowMs, RowReader rows) {
        AcceptedId found = uncommitted.get(key);
        // An id that left the window and was accepted again is in two generations. The later acceptance counts.
        for (int i = generations.size() - 1; found == null && i >= 0; i--) {
            Generation generation = generations.get(i);
            if (nowMs - generation.lastAcceptedMs >= windowMs) {
                return null; // older ones are not in the window either
            }
            found = generation.mayContain(key) ? rows.acceptedId(fragment, generation.startMs, key) : null;
        }
        return found != null && found.isInWindow(nowMs, windowMs) ? found : null;
    }

    @Override
    public long generationFor(long nowMs, long windowMs) {
        if (generations.isEmpty() || nowMs - newest().startMs >= windowMs / 2) {
            return nowMs;
        }
        return newest().startMs;
    }

    @Override
    public long nextForgetMs(long windowMs) {
        return generations.isEmpty() ? Long.MAX_VALUE : generations.get(0).lastAcceptedMs + windowMs;
    }

    @Override
    public List<Long> generations() {
        return generations.stream().map(generation -> generation.startMs).toList();
    }

    @Override
    public Set<DuplicateKey> uncommitted(long generationMs) {
        return uncommitted.values().stream()
                .filter(id -> id.generationMs() == generationMs)
                .map(AcceptedId::key)
                .collect(Collectors.toSet());
    }

    @Override
    public long oldestGeneration() {
        return generations.get(0).startMs;
    }

    @Override
    public FragmentId fragment() {
        return fragment;
    }

    private Generation newest() {
        return generations.get(generations.size() - 1);
    }
}
