package dev.jitney.simulation.cluster;

import dev.jitney.runtime.store.ReplicaPosition;
import dev.jitney.runtime.store.ReplicaStore;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import dev.jitney.simulation.disk.SimulatedCrash;
import dev.jitney.simulation.disk.SimulatedTables;
import dev.jitney.simulation.disk.TablesCursor;
import dev.jitney.simulation.disk.Write;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The copy of a store on the disk of a node. Applied batches are in memory until they are flushed; a restart loses them, and
 * the node applies them again.
 */
final class SimulatedReplica implements ReplicaStore {
    /** Behind all keys that the runtime uses. */
    private static final byte[] BEHIND_ALL = {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF};

    private SimulatedTables flushed = new SimulatedTables();
    private byte[] flushedPosition = ReplicaPosition.START.encoded();

    /** The batches that are not in table files, in order. */
    private final List<List<Write>> recent = new ArrayList<>();

    /** All rows: those of the table files and the recent ones. */
    private SimulatedTables tables = new SimulatedTables();

    private ReplicaPosition position = ReplicaPosition.START;
    private boolean failed;
    private boolean applyFails;
    private boolean full;
    private boolean readFails;
    private boolean killedByRead;
    private final Runnable onFault;

    /** The number of times that all open cursors were closed. */
    private int era;

    /** The rows and the position of a store, as the leader sends them. */
    record Checkpoint(SimulatedTables tables, byte[] position) {}

    private final Map<Path, Checkpoint> directories = new HashMap<>();

    /** @param onFault is called when a read fails or the disk is found to be full */
    SimulatedReplica(Runnable onFault) {
        this.onFault = onFault;
    }

    // --- used by the simulator ---

    /** Makes the next batch fail after some of it may have been written. */
    void failNextApply() {
        applyFails = true;
    }

    /** Makes the next read fail, or kills the process during that read. */
    void failNextRead(boolean kill) {
        readFails = true;
        killedByRead = kill;
    }

    void fill(boolean value) {
        full = value;
    }

    boolean isFull() {
        return full;
    }

    /** Removes all planned faults. */
    void heal() {
        applyFails = false;
        readFails = false;
        full = false;
    }

    /** Returns all rows. Do not change them. */
    SimulatedTables tables() {
        return tables;
    }

    private static ReplicaPosition decode(byte[] bytes) {
        ReplicaPosition decoded = ReplicaPosition.decode(bytes);
        if (decoded == null) {
            throw new IllegalStateException("Expected the position of a replica, but it cannot be decoded.");
        }
        return decoded;
    }

    /** Removes the checkpoint in a directory, in order to send it to another node. */
    Checkpoint take(Path directory) {
        Checkpoint taken = directories.remove(directory);
        if (taken == null) {
            throw new IllegalStateException("Expected a checkpoint in " + directory + ", but there is none.");
        }
        return taken;
    }

    /** Stores a checkpoint of another node in a directory. */
    void put(Path directory, Checkpoint checkpoint) {
        directories.put(directory, checkpoint);
    }

    // --- used by the node and its broker ---

    @Override
    public ReplicaPosition position() {
        return position;
    }

    @Override
    public synchronized void apply(byte[] batch, int length, ReplicaPosition next) throws StoreException {
        check();
        if (next.index() <= position.index()) {
            throw new IllegalStateException("Expected a position after " + position + ", but got " + next + ".");
        }
        if (applyFails) {
            applyFails = false;
            failed = true;
            throw new StoreException(StoreException.Reason.IO, "The simulated disk cannot be written");
        }
        List<Write> writes = Write.allOf(Arrays.copyOf(batch, length));
        recent.add(writes);
        tables.apply(writes);
        position = next;
    }

    @Override
    public synchronized byte @Nullable [] get(Table table, byte[] key) throws StoreException {
        read();
        byte[] value = tables.rows(table).get(key);
        return value == null ? null : value.clone();
    }

    @Override
    public StoreCursor scan(Table table, byte[] from, byte[] to) throws StoreException {
        read();
        int openedIn = era;
        return new TablesCursor(tables, table, from.clone(), to.clone(), () -> {
            check();
            if (openedIn != era) {
                throw new StoreException(StoreException.Reason.IO, "Expected an open cursor, but it is closed");
            }
        });
    }

    @Override
    public StoreCursor snapshot(Table table) throws StoreException {
        read();
        return new TablesCursor(tables.copy(), table, new byte[0], BEHIND_ALL, () -> {});
    }

    private void read() throws StoreException {
        check();
        if (readFails) {
            readFails = false;
            if (killedByRead) {
                throw new SimulatedCrash();
            }
            onFault.run();
            throw new StoreException(StoreException.Reason.IO, "The simulated disk cannot be read");
        }
    }

    @Override
    public long flushedIndex() {
        return decode(flushedPosition).index();
    }

    @Override
    public void flush() {
        recent.forEach(flushed::apply);
        recent.clear();
        flushedPosition = position.encoded();
    }

    @Override
    public ReplicaPosition checkpoint(Path directory) {
        flush();
        put(directory, new Checkpoint(flushed.copy(), flushedPosition));
        return position;
    }

    @Override
    public boolean replaceBy(Path directory) {
        Checkpoint checkpoint = take(directory);
        if (decode(checkpoint.position()).index() < position.index()) {
            return false;
        }
        flushed = checkpoint.tables();
        flushedPosition = checkpoint.position();
        reopen();
        return true;
    }

    /** Opens the store as a restart of the process does. */
    @Override
    public void reopen() {
        era++;
        recent.clear();
        tables = flushed.copy();
        position = decode(flushedPosition);
        failed = false;
    }

    @Override
    public boolean acceptsGrowth() {
        if (full) {
            onFault.run();
        }
        return !full;
    }

    @Override
    public void check() throws StoreException {
        if (failed) {
            throw new StoreException(StoreException.Reason.IO, "Expected a restart after the failure of the disk");
        }
    }

    @Override
    public void close() {
        era++;
    }
}
