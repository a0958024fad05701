package dev.jitney.simulation.cluster;

import dev.jitney.cluster.Entry;
import dev.jitney.cluster.EntryException;
import dev.jitney.cluster.StoreReplica.Result;
import dev.jitney.runtime.store.Table;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.disk.SimulatedTables;
import dev.jitney.simulation.disk.Write;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The entries that the nodes have agreed on, with the effect that each must have. It outlives all nodes and checks them. It
 * decides by what it knows about brokers, and not with the rules of the product.
 */
final class AgreedLog {
    private final ObjIntConsumer<List<Write>> durable;
    private final List<Logged> entries = new ArrayList<>();
    private final List<Result> effects = new ArrayList<>();

    /** By entry, the index of the first part of its batch; its own index if it is no part. */
    private final List<Long> firstParts = new ArrayList<>();

    private final List<Agreed> stores = new ArrayList<>();

    /** The agreed state of a store. */
    private static final class Agreed {
        final SimulatedTables tables = new SimulatedTables();

        /** The index of the last entry with an effect. */
        long position;

        /** The term in which it was decided, and its number. */
        long term;

        long number;

        long timeMs;

        /** The parts of a batch, the last of which is missing. */
        final List<byte[]> parts = new ArrayList<>();

        @Nullable
        Decision open;

        /** The index of the first of the parts. */
        long openAt;
    }

    /** @param durable is called with each batch that takes effect, and its store */
    AgreedLog(int stores, ObjIntConsumer<List<Write>> durable) {
        this.durable = durable;
        for (int i = 0; i < stores; i++) {
            this.stores.add(new Agreed());
        }
    }

    /** Returns the index of the last agreed entry. */
    long last() {
        return entries.size();
    }

    /** Returns the tables of a store with all agreed entries. */
    SimulatedTables tables(int store) {
        return stores.get(store).tables;
    }

    /** Returns the latest time in an agreed entry (CL-13). */
    long timeMs() {
        return stores.stream().mapToLong(store -> store.timeMs).max().orElse(0);
    }

    /** Adds an entry that a leader knows to be agreed on. Nothing may have been agreed on in its place before. */
    void agree(long index, Logged entry, SimulatedNode leader) {
        if (index <= last()) {
            requireSame(index, entry, leader);
            return;
        }
        entries.add(entry);
        effects.add(effect(index, entry));
        var decision = entry.decision;
        boolean isPart = effect(index) == Result.PART;
        firstParts.add(decision != null && isPart ? stores.get(decision.store()).openAt : index);
    }

    /** Checks that a node has an agreed entry at its place (CL-1). */
    void requireSame(long index, Logged entry, SimulatedNode node) {
        if (index > last() || entries.get((int) index - 1) != entry) {
            throw new Violation("CL-1: Expected the agreed entry at index " + index + " of " + node + ", which is "
                    + (index > last() ? "none" : entries.get((int) index - 1)) + ", but got " + entry + ".");
        }
    }

    /** Checks that a new leader has all agreed entries (CL-1). */
    void requireAll(SimulatedNode leader) {
        if (leader.log.last() < last()) {
            throw new Violation("CL-1: Expected all " + last() + " agreed entries in the log of the leader " + leader
                    + ", but it ends at " + leader.log.last() + ".");
        }
        for (long index = leader.log.start() + 1; index <= last(); index++) {
            requireSame(index, leader.log.get(index), leader);
        }
    }

    /**
     * Checks that the rules of the product give an entry its effect (CL-3, CL-4, CL-7).
     *
     * <p>A process may begin behind the first part of a batch that never gets its last part, because the log was purged
     * there. It skips the other parts, which makes no difference to the rows.
     *
     * @param begin the entry behind which the process of the node began to apply entries
     */
    void requireEffect(long index, Result result, boolean known, long begin, SimulatedNode node) {
        Logged entry = entries.get((int) index - 1);
        Result expected = known ? Result.KNOWN : effects.get((int) index - 1);
        if (expected == Result.PART && firstParts.get((int) index - 1) <= begin) {
            expected = Result.SKIPPED;
        }
        if (entry.bytes != null && result != expected) {
            throw new Violation("Expected the entry " + index + " (" + entry + ") to be " + expected + " on " + node
                    + " (CL-3, CL-4, CL-7), but it was " + result + ".");
        }
    }

    /** Returns the effect of an agreed entry. */
    Result effect(long index) {
        return effects.get((int) index - 1);
    }

    private Result effect(long index, Logged entry) {
        byte[] bytes = entry.bytes;
        Decision decision = entry.decision;
        if (bytes == null || decision == null) {
            return Result.SKIPPED;
        }
        Agreed store = stores.get(decision.store());
        long next = store.term == decision.term() ? store.number + 1 : 1;
        if (entry.term != decision.term() || decision.number() != next) {
            store.open = null;
            return Result.SKIPPED;
        }
        try {
            return effect(index, decision, Entry.decode(bytes.clone()), store);
        } catch (EntryException e) {
            throw new Violation("Expected an undamaged entry, but got " + e.getMessage(), e);
        }
    }

    private Result effect(long index, Decision decision, Entry entry, Agreed store) {
        if (entry.part() == 0) {
            store.open = decision;
            store.openAt = index;
            store.parts.clear();
        }
        if (store.open != decision || entry.part() != store.parts.size()) {
            store.open = null;
            return Result.SKIPPED;
        }
        store.parts.add(Arrays.copyOf(entry.batch(), entry.length()));
        if (entry.part() < entry.parts() - 1) {
            return Result.PART;
        }
        store.open = null;
        if (decision.basis() != store.position) {
            throw new Violation("CL-3: Expected batch " + decision.number() + " of store " + decision.store()
                    + " to be decided on the entry " + store.position + ", but it was decided on the entry "
                    + decision.basis() + ".");
        }
        if (entry.timeMs() < store.timeMs) {
            throw new Violation("CL-13: Expected the time of the entry " + index + " to be " + store.timeMs
                    + " or later, but it is " + entry.timeMs() + ".");
        }
        ByteArrayOutputStream batch = new ByteArrayOutputStream();
        store.parts.forEach(part -> batch.write(part, 0, part.length));
        List<Write> writes = Write.allOf(batch.toByteArray());
        store.tables.apply(writes);
        store.term = decision.term();
        store.number = decision.number();
        store.position = index;
        store.timeMs = entry.timeMs();
        durable.accept(writes, decision.store());
        return Result.APPLIED;
    }

    /** Returns the index of the last entry with an effect on a store. */
    long position(int store) {
        return stores.get(store).position;
    }

    /** Checks that the copies of a node that has applied everything have the agreed rows (CL-5, CL-85). */
    void requireEqual(SimulatedNode node) {
        for (int i = 0; i < stores.size(); i++) {
            String difference = tables(i).difference(node.replica(i).tables());
            if (difference != null) {
                throw new Violation("CL-5: Expected store " + i + " of " + node + " to have the agreed rows of "
                        + Table.values().length + " tables, but " + difference + ".");
            }
            if (node.replica(i).position().index() != position(i)) {
                throw new Violation("CL-4: Expected store " + i + " of " + node + " to be at the entry " + position(i)
                        + ", but it is at " + node.replica(i).position() + ".");
            }
        }
    }
}
