package dev.jitney.cluster.verify;

import dev.jitney.runtime.store.ReplicaStore;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Computes checksums of all tables of this node as of a mark in the log (CL-85), one check at a time.
 *
 * <p>The thread that applies entries opens cursors at the mark, and continues. A thread of the check reads the rows. It uses a
 * third of one processor at most, and one row of memory. The position of a store and other rows outside of the tables are no
 * part of the check. A check whose state is not requested for a minute ends.
 *
 * <p>Any thread may call the methods, except {@link #mark}.
 */
public final class ReplicaCheck implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaCheck.class);
    private static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long WORK_NANOS = TimeUnit.MILLISECONDS.toNanos(4);
    private static final int PAUSES_PER_WORK = 2;
    private static final int ROWS_BETWEEN_LOOKS = 32;
    private static final long CLOSE_MS = 5_000;

    private final String node;
    private final List<? extends ReplicaStore> stores;
    private final LongSupplier nanos;
    private volatile @Nullable Run current;

    /**
     * @param node   the name of this node
     * @param stores the copies of the stores, by number
     * @param nanos  a clock that does not run back, in nanoseconds
     */
    public ReplicaCheck(String node, List<? extends ReplicaStore> stores, LongSupplier nanos) {
        this.node = node;
        this.stores = List.copyOf(stores);
        this.nanos = nanos;
    }

    /**
     * Begins to wait for a mark. A check that has ended is dropped.
     *
     * @param id the id of the mark
     * @throws IOException if another check runs
     */
    public synchronized CheckReport begin(UUID id) throws IOException {
        Run last = current;
        if (last != null && !last.state.isFinal()) {
            if (!last.isIdle()) {
                throw new IOException("Node " + node + " computes checksums already. Try again when it has finished.");
            }
            last.end("Its state was not requested for a minute.");
        }
        Run made = new Run(id);
        current = made;
        return made.report();
    }

    /**
     * Opens the tables if this node waits for this mark. It never throws an exception: a mark must not stop a node.
     *
     * <p>Called by the thread that applies entries.
     *
     * @param id    the id of the mark
     * @param index its index in the log
     */
    public void mark(UUID id, long index) {
        Run run = current;
        if (run != null && run.id.equals(id) && run.state == CheckReport.State.WAITING && !run.isIdle()) {
            run.open(index);
        }
    }

    /**
     * Returns the state of a check.
     *
     * @param id      the id of the mark
     * @param index   the index of the mark if the caller knows it, otherwise 0
     * @param applied the index of the last entry that this node has applied
     * @throws IOException if this node has no check with this id
     */
    public CheckReport report(UUID id, long index, LongSupplier applied) throws IOException {
        Run run = current;
        if (run == null || !run.id.equals(id)) {
            throw new IOException("Node " + node + " has restarted, or computes other checksums.");
        }
        run.askedNanos = nanos.getAsLong();
        // In this order: a mark that was applied has changed the state.
        boolean passed = index > 0 && applied.getAsLong() >= index;
        if (passed && run.state == CheckReport.State.WAITING) {
            run.end("It did not apply the mark: it has received a checkpoint of a later position.");
        }
        return run.report();
    }

    /** Ends a check under way, and frees the tables. */
    @Override
    public void close() {
        Run run = current;
        if (run != null) {
            run.end("The node stops.");
            run.join();
        }
    }

    /** One check. */
    private final class Run implements Runnable {
        private final UUID id;
        private final CountDownLatch ended = new CountDownLatch(1);
        private final Queue<Source> sources = new ConcurrentLinkedQueue<>();
        private volatile CheckReport.State state = CheckReport.State.WAITING;
        private volatile long askedNanos = nanos.getAsLong();
        private volatile long index;
        private volatile long rows;
        private volatile long bytes;
        private volatile String reason = "";
        private volatile List<TableChecksum> tables = List.of();
        private volatile @Nullable Thread thread;
        private long workUntilNanos;

        Run(UUID id) {
            this.id = id;
        }

        boolean isIdle() {
            return nanos.getAsLong() - askedNanos >= IDLE_NANOS;
        }

        CheckReport report() {
            // The state first: with it, everything that it promises is there.
            CheckReport.State now = state;
            return new CheckReport(id, now, index, rows, bytes, reason, tables);
        }

        /** Opens cursors over all tables, and lets a thread read them. */
        synchronized void open(long markIndex) {
            if (state != CheckReport.State.WAITING) {
                return;
            }
            index = markIndex;
            try {
                for (int store = 0; store < stores.size(); store++) {
                    if (stores.get(store).position().index() >= markIndex) {
                        throw new StoreException(
                                StoreException.Reason.IO,
                                "store " + store + " has later entries already, because the node has restarted");
                    }
                    for (Table table : Table.values()) {
                        sources.add(new Source(store, table, stores.get(store).snapshot(table)));
                    }
                }
                state = CheckReport.State.READING;
                Thread reader = new Thread(this, "cluster-verify-" + node);
                reader.setDaemon(true);
                reader.setPriority(Thread.MIN_PRIORITY);
                thread = reader;
                reader.start();
            } catch (StoreException | RuntimeException e) {
                end(String.valueOf(e.getMessage()));
                closeSources();
            }
        }

        @Override
        public void run() {
            List<TableChecksum> made = new ArrayList<>();
            try {
                workUntilNanos = System.nanoTime() + WORK_NANOS;
                for (Source source = sources.peek(); source != null; source = sources.peek()) {
                    made.add(checksum(source));
                    source.rows.close();
                    sources.remove();
                }
                complete(made);
            } catch (InterruptedException e) {
                LOG.debug("The check {} of node {} has ended.", id, node);
            } catch (StoreException | RuntimeException e) {
                end("Its tables cannot be read: " + e.getMessage());
            } finally {
                closeSources();
            }
        }

        private TableChecksum checksum(Source source) throws StoreException, InterruptedException {
            CRC32C crc = new CRC32C();
            ByteBuffer lengths = ByteBuffer.allocate(2 * Integer.BYTES);
            long tableRows = 0;
            long tableBytes = 0;
            while (source.rows.next()) {
                byte[] key = source.rows.key();
                byte[] value = source.rows.value();
                lengths.clear().putInt(key.length).putInt(value.length);
                crc.update(lengths.array());
                crc.update(key);
                crc.update(value);
                tableRows++;
                tableBytes += key.length + value.length;
                count(key.length + value.length);
                if (tableRows % ROWS_BETWEEN_LOOKS == 0) {
                    pause();
                }
            }
            return new TableChecksum(source.store, source.table.id(), tableRows, tableBytes, (int) crc.getValue());
        }

        // One thread writes these fields.
        @SuppressWarnings("NonAtomicOperationOnVolatileField")
        private void count(int more) {
            rows++;
            bytes += more;
        }

        /** Leaves the processor to others for two thirds of the time. */
        private void pause() throws InterruptedException {
            long now = System.nanoTime();
            if (now < workUntilNanos && ended.getCount() > 0) {
                return;
            }
            long worked = WORK_NANOS + Math.max(0, now - workUntilNanos);
            if (isIdle()) {
                end("Its state was not requested for a minute.");
            }
            if (ended.await(PAUSES_PER_WORK * worked, TimeUnit.NANOSECONDS)) {
                throw new InterruptedException("The check has ended.");
            }
            workUntilNanos = System.nanoTime() + WORK_NANOS;
        }

        private synchronized void complete(List<TableChecksum> made) {
            if (!state.isFinal()) {
                tables = made;
                state = CheckReport.State.DONE;
                ended.countDown();
            }
        }

        synchronized void end(String why) {
            if (!state.isFinal()) {
                reason = why;
                state = CheckReport.State.FAILED;
                ended.countDown();
            }
        }

        private void closeSources() {
            for (Source source = sources.poll(); source != null; source = sources.poll()) {
                source.rows.close();
            }
        }

        void join() {
            Thread reader = thread;
            if (reader != null) {
                try {
                    reader.join(CLOSE_MS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    /** The rows of one table. */
    private record Source(int store, Table table, StoreCursor rows) {}
}
