package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.DeletedKeys;
import dev.jitney.runtime.store.LogPosition;
import dev.jitney.runtime.store.ReplicaPosition;
import dev.jitney.runtime.store.RowBatchReader;
import dev.jitney.runtime.store.StoreException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import org.rocksdb.RocksDBException;

/**
 * The path of an agreed batch into the {@link Tables} of a replica. The replicated log has made the batch durable, so there
 * is no log here: after a crash the tables are at the position in their files, and the batches behind it are applied again.
 *
 * <p>Batches pass through the same states as those of a {@link CommitPipeline}, except that they are never appended.
 *
 * <p>For the thread that applies batches, except {@link #tables}, {@link #position}, {@link #flushedIndex} and {@link
 * #checkpoint}, which any thread may call.
 */
final class ReplicaPipeline implements WritePath {
    /** There is no log of the store's own. */
    private static final LogPosition NO_LOG = new LogPosition(0, 0);

    private final Tables tables;
    private final UnflushedBatches unflushed;

    /** The positions of the batches that are not in RocksDB yet, oldest first. Guarded by itself. */
    private final Queue<ReplicaPosition> behind = new ArrayDeque<>();

    /** The bytes of {@link #unflushed}, for other threads. */
    private volatile long unwrittenBytes;

    /** A flush was begun after this index. */
    private long flushBegun;

    private volatile ReplicaPosition position;

    private ReplicaPipeline(Database database, ReplicaPosition position, Sizing sizing) {
        this.position = position;
        tables = new Tables(database, PositionRow.AGREED, this::encodedPosition, sizing);
        unflushed = new UnflushedBatches(sizing.logTotalBytes());
    }

    /**
     * Opens the tables at the position that they have, or gives a new database its first position.
     *
     * @throws StoreException {@code CORRUPT} if the database is not that of a replica
     */
    static ReplicaPipeline open(Database database, Path directory, Sizing sizing, DurabilityMarker marker)
            throws StoreException, RocksDBException {
        StoreFormat.read(database, directory);
        PositionRow.AGREED.require(database, directory);
        marker.checkTables(null); // a marker of a single node's store may require its log
        byte[] row = PositionRow.AGREED.read(database);
        if (row == null) {
            RocksDbRows first = new RocksDbRows(database.familyIds());
            byte[] format = StoreFormat.batch().encoded();
            first.addAll(format, format.length);
            row = ReplicaPosition.START.encoded();
            database.write(first.encodedWith(PositionRow.AGREED.key(), row));
            database.flush();
        }
        return new ReplicaPipeline(database, PositionRow.agreed(row, directory), sizing);
    }

    @Override
    public Tables tables() {
        return tables;
    }

    /** Returns the position of the last applied batch. */
    ReplicaPosition position() {
        return position;
    }

    /**
     * Makes a batch readable. Flushes begin and end in the background, unless the tables are too far behind.
     *
     * @param batch   an array that begins with the encoded batch
     * @param length  the bytes of the batch
     * @param next    its position
     * @param deleted receives the keys that it deletes
     * @throws StoreException {@code CORRUPT} if the batch is not valid
     */
    void apply(byte[] batch, int length, ReplicaPosition next, DeletedKeys deleted)
            throws StoreException, RocksDBException {
        boolean deletesRange = check(batch, length, deleted);
        tables.index();
        synchronized (behind) {
            behind.add(next);
        }
        tables.add(next.index(), batch, length, deletesRange);
        position = next;
        if (unflushed.add(next.index(), length)) {
            bound();
        }
        unwrittenBytes = unflushed.bytes();
    }

    @Override
    public long unwrittenBytes() {
        try {
            return flushedIndex() >= position.index() ? 0 : unwrittenBytes;
        } catch (StoreException | RocksDBException e) {
            return unwrittenBytes;
        }
    }

    /** Reads a batch to its end. Returns whether it deletes ranges. */
    private static boolean check(byte[] batch, int length, DeletedKeys deleted) throws StoreException {
        boolean deletesRange = false;
        RowBatchReader rows = RowBatchReader.of(batch, length);
        while (rows.next()) {
            switch (rows.operation()) {
                case PUT -> {}
                case DELETE -> {
                    byte[] key = rows.key();
                    deleted.add(rows.table(), key, key);
                }
                case DELETE_RANGE -> {
                    deletesRange = true;
                    deleted.add(rows.table(), rows.key(), rows.argument());
                }
            }
        }
        return deletesRange;
    }

    /** Bounds the batches to be applied again after a crash: begins a flush, or waits for one. */
    private void bound() throws StoreException, RocksDBException {
        long flushed = flushedIndex();
        unflushed.remove(flushed);
        if (unflushed.bytes() >= unflushed.bytesMax()) {
            tables.flush();
            unflushed.remove(flushedIndex());
        } else if (unflushed.bytes() >= unflushed.bytesMax() / 2 && flushed >= flushBegun) {
            if (tables.beginFlush()) {
                flushBegun = position.index();
            }
        }
    }

    /** Returns the index of the last batch that is in table files with all before it. */
    long flushedIndex() throws StoreException, RocksDBException {
        byte[] row = tables.flushed();
        ReplicaPosition flushed = row == null ? ReplicaPosition.START : ReplicaPosition.decode(row);
        if (flushed == null) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT, "Expected the position of a replica in the table files");
        }
        return flushed.index();
    }

    /** Writes a copy of the tables and returns its position. */
    ReplicaPosition checkpoint(Path directory) throws RocksDBException {
        byte[] row = Objects.requireNonNull(tables.checkpoint(directory));
        return Objects.requireNonNull(ReplicaPosition.decode(row));
    }

    /** Returns the position row for a batch; called in ascending order under the lock of the tables. */
    private byte[] encodedPosition(long index) {
        synchronized (behind) {
            ReplicaPosition written = behind.remove();
            while (written.index() < index) {
                written = behind.remove();
            }
            return written.encoded();
        }
    }

    @Override
    public LogPosition last() {
        return NO_LOG;
    }

    @Override
    public long logBytes() {
        return 0;
    }

    @Override
    public void finish(DurabilityMarker marker) throws RocksDBException {
        tables.flush();
        marker.finished();
    }

    @Override
    public void close() {}

    /**
     * Counts the bytes of batches that are not in table files, in steps, so that it needs little memory however small the
     * batches are.
     */
    static final class UnflushedBatches {
        private static final int STEPS = 64;

        private final long bytesMax;
        private final Queue<Step> steps = new ArrayDeque<>();
        private long added;
        private long removed;
        private long stepEnd;

        /** @param bytesMax the bytes at which the caller waits for a flush */
        UnflushedBatches(long bytesMax) {
            this.bytesMax = bytesMax;
            stepEnd = bytesMax / STEPS;
        }

        /** Adds a batch. Returns whether a step is complete, so that it is time to look at {@link #bytes}. */
        boolean add(long index, int bytes) {
            added += bytes;
            if (added < stepEnd) {
                return false;
            }
            steps.add(new Step(index, added));
            stepEnd = added + bytesMax / STEPS;
            return true;
        }

        /** Removes the steps that end at an index or before. */
        void remove(long flushedIndex) {
            Step step = steps.peek();
            while (step != null && step.index <= flushedIndex) {
                removed = step.added;
                steps.remove();
                step = steps.peek();
            }
        }

        /** Returns the bytes that are not in table files, too many by at most a step. */
        long bytes() {
            return added - removed;
        }

        long bytesMax() {
            return bytesMax;
        }

        private record Step(long index, long added) {}
    }
}
