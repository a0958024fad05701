package dev.jitney.cluster;

import dev.jitney.runtime.store.ReplicaPosition;
import dev.jitney.runtime.store.ReplicaStore;
import dev.jitney.runtime.store.StoreException;

/**
 * The rules by which a node applies agreed entries to its copy of a store. Every node has the same rules and gets the same
 * entries in the same order, so all copies have the same rows at the same position (CL-5).
 *
 * <table>
 * <caption>The effect of an entry of this store</caption>
 * <tr><th>condition, in this order</th><th>result</th></tr>
 * <tr><td>its index is not behind the position</td><td>{@link Result#KNOWN}: it was applied before a restart (CL-4)</td></tr>
 * <tr><td>it was logged in another term than it was decided in</td><td>{@link Result#SKIPPED} (CL-3)</td></tr>
 * <tr><td>its number is not the next one of its term</td><td>{@link Result#SKIPPED} (CL-3)</td></tr>
 * <tr><td>it is a part, and not the last one</td><td>{@link Result#PART} (CL-7)</td></tr>
 * <tr><td>it is the last part, and others are missing</td><td>{@link Result#SKIPPED} (CL-7)</td></tr>
 * <tr><td>otherwise</td><td>{@link Result#APPLIED}, with the new position (CL-4)</td></tr>
 * </table>
 *
 * <p>For the thread that applies entries.
 */
public final class StoreReplica {
    private final ReplicaStore store;
    private final EntryParts parts = new EntryParts();

    /** @param store the copy, as it was opened */
    public StoreReplica(ReplicaStore store) {
        this.store = store;
    }

    /** The effect of an entry. */
    public enum Result {
        /** The rows are readable, and the position is that of the entry. */
        APPLIED,
        /** The entry is kept until the last part of its batch arrives. */
        PART,
        /** The entry has no effect, on no node. The leader's commit fails. */
        SKIPPED,
        /** The entry was applied before. */
        KNOWN
    }

    /**
     * Applies an agreed entry of this store.
     *
     * @param entry    the entry
     * @param logTerm  the term in which the log has it
     * @param logIndex its index in the log
     * @throws StoreException if the rows are invalid or the store fails; the replica must be opened again (CL-42)
     */
    public Result apply(Entry entry, long logTerm, long logIndex) throws StoreException {
        ReplicaPosition position = store.position();
        if (logIndex <= position.index()) {
            return Result.KNOWN;
        }
        if (entry.term() != logTerm || entry.number() != nextNumber(position, logTerm)) {
            parts.clear();
            return Result.SKIPPED;
        }
        EntryParts.Batch batch = parts.add(entry);
        if (batch == null) {
            return parts.isOpen() ? Result.PART : Result.SKIPPED;
        }
        long timeMs = Math.max(position.timeMs(), entry.timeMs());
        store.apply(batch.bytes(), batch.length(), new ReplicaPosition(logTerm, logIndex, entry.number(), timeMs));
        return Result.APPLIED;
    }

    /** Returns the number of the next batch that takes effect in a term: numbers begin with 1 in every term. */
    private static long nextNumber(ReplicaPosition position, long term) {
        return position.term() == term ? position.number() + 1 : 1;
    }

    /** Returns whether the first parts of a batch wait for the last one. A restart must not begin behind them (CL-7). */
    public boolean hasOpenParts() {
        return parts.isOpen();
    }

    /**
     * Drops the parts that wait if they are of an earlier term: their batch has no last part any more (CL-7). No entry has another
     * result because of that.
     *
     * @param term the term that has begun
     */
    public void dropPartsBefore(long term) {
        parts.clearBefore(term);
    }

    /** Drops the parts that wait, because a checkpoint has replaced the copy. */
    public void dropParts() {
        parts.clear();
    }

    /** Returns the copy. */
    public ReplicaStore store() {
        return store;
    }
}
