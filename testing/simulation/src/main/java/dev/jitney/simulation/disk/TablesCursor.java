package dev.jitney.simulation.disk;

import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * A cursor that searches its position again after each batch. It sees rows that are committed during the scan, as the
 * port allows.
 */
public final class TablesCursor implements StoreCursor {
    private final SimulatedTables tables;
    private final NavigableMap<byte[], byte[]> rows;
    private final byte[] to;
    private final Guard guard;
    private byte[] from;
    private boolean inclusive = true;
    private boolean ended;
    private Iterator<Map.Entry<byte[], byte[]>> ahead = Collections.emptyIterator();
    private long batches = -1;
    private byte @Nullable [] value;

    /** The check before each step. */
    @FunctionalInterface
    public interface Guard {
        /** Throws an exception if the store does not work any more. */
        void check() throws StoreException;
    }

    /**
     * @param from the first key, inclusive; must not be changed
     * @param to the end, exclusive; must not be changed
     */
    public TablesCursor(SimulatedTables tables, Table table, byte[] from, byte[] to, Guard guard) {
        this.tables = tables;
        this.rows = tables.rows(table);
        this.from = from;
        this.to = to;
        this.guard = guard;
    }

    @Override
    public boolean next() throws StoreException {
        guard.check();
        if (ended) {
            throw new StoreException(StoreException.Reason.IO, "Expected an open cursor, but it is closed");
        }
        if (batches != tables.batches()) {
            batches = tables.batches();
            ahead = rows.tailMap(from, inclusive).entrySet().iterator();
        }
        value = null;
        if (ahead.hasNext()) {
            Map.Entry<byte[], byte[]> row = ahead.next();
            if (Arrays.compareUnsigned(row.getKey(), to) < 0) {
                from = row.getKey();
                inclusive = false;
                value = row.getValue();
            }
        }
        return value != null;
    }

    @Override
    public byte[] key() {
        current();
        return from.clone();
    }

    @Override
    public byte[] value() {
        return current().clone();
    }

    private byte[] current() {
        if (value == null) {
            throw new IllegalStateException("Expected a current row, but next() did not return true");
        }
        return value;
    }

    @Override
    public void close() {
        ended = true;
    }
}
