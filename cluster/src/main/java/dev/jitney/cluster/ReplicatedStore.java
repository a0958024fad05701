package dev.jitney.cluster;

import dev.jitney.runtime.store.DiskFigures;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.ReplicaStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A messaging store of the leader for one term. A commit becomes entries that the nodes agree on; reads use the leader's own
 * copy. After the term, or after a commit with an unknown outcome, the store refuses everything for good: the broker of the
 * next term opens new ones (CL-11).
 *
 * <p>One thread commits, others may read, as {@link MessagingStore} specifies.
 */
public final class ReplicatedStore implements MessagingStore {
    private final int index;
    private final ReplicaStore replica;
    private final Agreement agreement;
    private final LongSupplier clock;

    /** The number of the last proposed batch. Numbers begin with 1 in every term (CL-3). */
    private long number;

    private volatile @Nullable StoreException ended;

    /** True while an administrator has stopped the store (CL-34). */
    private volatile boolean suspended;

    /** The number of calls of {@link #reopen}, each of which ends all cursors. */
    private volatile int openings;

    /** The outcome that a commit waits for. */
    private volatile @Nullable CompletableFuture<StoreReplica.Result> pending;

    /**
     * @param index     number of the store, from 0
     * @param replica   the leader's copy, with all entries of earlier terms applied
     * @param agreement the port to the consensus, for this term
     * @param clock     the time of the leader in milliseconds since the epoch, never decreasing (CL-13)
     */
    public ReplicatedStore(int index, ReplicaStore replica, Agreement agreement, LongSupplier clock) {
        this.index = index;
        this.replica = replica;
        this.agreement = agreement;
        this.clock = clock;
    }

    /**
     * {@inheritDoc}
     *
     * <p>The batch is in the logs of a majority, synced on each, and applied here when this method returns (CL-1).
     */
    @Override
    public void commit(RowBatch batch) throws StoreException {
        requireUse();
        if (batch.isEmpty()) {
            return;
        }
        List<byte[]> entries = Entry.encode(batch, index, agreement.term(), ++number, clock.getAsLong());
        StoreReplica.Result result;
        try {
            result = await(agreement.append(entries).toCompletableFuture());
        } catch (CompletionException | CancellationException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw end(
                    "The outcome of batch " + number + " of term " + agreement.term() + " is unknown: "
                            + cause.getMessage() + ".",
                    cause);
        }
        if (result != StoreReplica.Result.APPLIED) {
            throw end(
                    "The nodes did not apply batch " + number + " of term " + agreement.term()
                            + ", because it was decided in an earlier term.",
                    null);
        }
    }

    private StoreReplica.Result await(CompletableFuture<StoreReplica.Result> outcome) {
        pending = outcome;
        try {
            StoreException why = ended;
            if (why != null) {
                // The term ended after the entries were proposed and before the assignment.
                outcome.completeExceptionally(new TermEndedException(String.valueOf(why.getMessage())));
            }
            return outcome.join();
        } finally {
            pending = null;
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>Returns while this node holds the lease of the leader (CL-9). Any thread may call it.
     */
    @Override
    public void confirm() throws StoreException {
        requireUse();
        try {
            agreement.awaitLease();
        } catch (TermEndedException e) {
            throw end("It may not release outputs. " + e.getMessage(), e);
        }
        requireUse();
    }

    @Override
    public boolean isConfirmed() {
        return ended == null && !suspended && agreement.holdsLease();
    }

    private StoreException end(String reason, @Nullable Throwable cause) {
        StoreException why = new StoreException(
                StoreException.Reason.IO, "Messaging store " + index + " does not lead any more. " + reason, cause);
        ended = why;
        return why;
    }

    private void requireUse() throws StoreException {
        StoreException why = ended;
        if (why != null) {
            throw new StoreException(why.reason(), String.valueOf(why.getMessage()), why);
        }
        if (suspended) {
            throw new StoreException(
                    StoreException.Reason.IO, "Messaging store " + index + " was stopped by an administrator.");
        }
    }

    /**
     * Ends the use of this store, because the term has ended. A commit in progress fails: its outcome is unknown (CL-2). Any
     * thread may call it.
     */
    public void endTerm(String reason) {
        if (ended == null) {
            end(reason, null);
        }
        CompletableFuture<StoreReplica.Result> waiting = pending;
        if (waiting != null) {
            waiting.completeExceptionally(new TermEndedException(reason));
        }
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) throws StoreException {
        requireUse();
        return replica.get(table, key);
    }

    @Override
    public StoreCursor scan(Table table, byte[] from, byte[] to) throws StoreException {
        requireUse();
        return new TermCursor(replica.scan(table, from, to));
    }

    @Override
    public boolean acceptsGrowth() {
        return ended == null && !suspended && replica.acceptsGrowth() && agreement.acceptsGrowth();
    }

    @Override
    public @Nullable DiskFigures disk() {
        return ended == null ? replica.disk() : null;
    }

    @Override
    public void check() throws StoreException {
        requireUse();
        replica.check();
    }

    /** Refuses everything until {@link #reopen}, or until the leader changes (CL-34). The replica follows the log meanwhile. */
    @Override
    public void suspend() {
        suspended = true;
    }

    /**
     * Ends a stop by an administrator. After the term, and after a commit with an unknown outcome, it always refuses: what was
     * decided in this term may be out of date, and the next term has new stores (CL-11).
     *
     * @throws StoreException if the term has ended, or the replica does not work
     */
    @Override
    public void reopen() throws StoreException {
        suspended = false;
        openings++;
        check();
    }

    /**
     * Returns the leader's copy, for a backup. While nothing is being committed, and if {@link #confirm} succeeds afterwards, it has
     * everything that this cluster has acknowledged.
     */
    public ReplicaStore replica() {
        return replica;
    }

    /** Ends the use of this store. The replica stays open, because this node follows the next leader. */
    @Override
    public void close() {
        endTerm("It is closed.");
    }

    /** A cursor that ends with the use of this store, although the replica stays open. */
    private final class TermCursor implements StoreCursor {
        private final StoreCursor rows;
        private final int openedIn = openings;

        TermCursor(StoreCursor rows) {
            this.rows = rows;
        }

        @Override
        public boolean next() throws StoreException {
            requireUse();
            if (openedIn != openings) {
                throw new StoreException(
                        StoreException.Reason.IO,
                        "Expected a cursor of messaging store " + index + " that was opened after the store itself.");
            }
            return rows.next();
        }

        @Override
        public byte[] key() {
            return rows.key();
        }

        @Override
        public byte[] value() {
            return rows.value();
        }

        @Override
        public void close() {
            rows.close();
        }
    }
}
