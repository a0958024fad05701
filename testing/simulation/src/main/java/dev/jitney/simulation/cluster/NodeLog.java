package dev.jitney.simulation.cluster;

import dev.jitney.simulation.SeededRandom;
import java.util.ArrayList;
import java.util.List;

/** The log of a node on its disk: entries behind a start, the last of which may not be synced yet. */
final class NodeLog {
    private final List<Logged> entries = new ArrayList<>();

    /** The index of the last entry that was removed from the front, with its term and the members from then on. */
    private long start;

    private long startTerm;
    private Members startMembers;
    private long synced;

    /** @param members the first members */
    NodeLog(Members members) {
        startMembers = members;
    }

    /** Returns the index before the first entry of the log. */
    long start() {
        return start;
    }

    long last() {
        return start + entries.size();
    }

    long lastTerm() {
        return term(last());
    }

    /** Returns the term of an entry from {@link #start} to {@link #last}. */
    long term(long index) {
        return index == start ? startTerm : get(index).term;
    }

    Logged get(long index) {
        return entries.get((int) (index - start - 1));
    }

    /** Returns the members from an entry on. */
    Members members(long index) {
        for (long i = index; i > start; i--) {
            Members changed = get(i).members;
            if (changed != null) {
                return changed;
            }
        }
        return startMembers;
    }

    void append(Logged entry) {
        entries.add(entry);
    }

    void sync() {
        synced = last();
    }

    /** Removes all entries behind an index, because the leader has others. */
    void truncate(long index) {
        entries.subList((int) (index - start), entries.size()).clear();
        synced = Math.min(synced, index);
    }

    /** Removes the entries up to an index, because no store of the node needs them any more. */
    void purge(long index) {
        if (index > start) {
            restart(index, term(index), members(index), entries.subList((int) (index - start), entries.size()));
        }
    }

    /** Removes all entries, because a checkpoint contains them. */
    void startBehind(long index, long term, Members members) {
        restart(index, term, members, List.of());
        synced = index;
    }

    private void restart(long index, long term, Members members, List<Logged> rest) {
        List<Logged> kept = List.copyOf(rest);
        entries.clear();
        entries.addAll(kept);
        start = index;
        startTerm = term;
        startMembers = members;
    }

    /** Loses the power: entries that were not synced may be gone. */
    void crash(SeededRandom random) {
        if (synced < last()) {
            truncate(random.between(synced, last()));
        }
        synced = last();
    }
}
