package dev.jitney.simulation.disk;

import dev.jitney.runtime.store.Table;
import dev.jitney.simulation.Violation;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The rows of a store: ordered tables, which change by whole batches. For one thread. */
public final class SimulatedTables {
    private final NavigableMap<byte[], byte[]>[] tables;
    private long usedBytes;
    private long batches;

    @SuppressWarnings("unchecked")
    public SimulatedTables() {
        tables = new NavigableMap[Table.values().length];
        for (int i = 0; i < tables.length; i++) {
            tables[i] = new TreeMap<>(Arrays::compareUnsigned);
        }
    }

    /** Returns tables with the same rows. */
    public SimulatedTables copy() {
        SimulatedTables copy = new SimulatedTables();
        for (int i = 0; i < tables.length; i++) {
            copy.tables[i].putAll(tables[i]);
        }
        copy.usedBytes = usedBytes;
        return copy;
    }

    /** Returns the rows of a table. Do not change them. */
    public NavigableMap<byte[], byte[]> rows(Table table) {
        return tables[table.ordinal()];
    }

    /** Returns the size of all keys and values. */
    public long usedBytes() {
        return usedBytes;
    }

    /** Returns the number of batches so far. Rows found before the last batch may be gone. */
    long batches() {
        return batches;
    }

    /**
     * Applies a batch.
     *
     * @throws Violation if it puts or deletes a row of a table whose rows are written once for a second time
     */
    public void apply(List<Write> batch) {
        batches++;
        batch.forEach(this::apply);
    }

    private void apply(Write write) {
        NavigableMap<byte[], byte[]> table = rows(write.table());
        switch (write.kind()) {
            case PUT -> {
                byte[] before = table.put(write.key(), write.argument());
                if (before != null && write.table().writtenOnce()) {
                    throw new Violation(
                            "Expected the key " + hex(write) + " to be written only once, but it was written again.");
                }
                usedBytes += write.sizeBytes() - (before == null ? 0 : before.length + write.key().length);
            }
            case DELETE -> {
                byte[] before = table.remove(write.key());
                if (before == null && write.table().writtenOnce()) {
                    throw new Violation(
                            "Expected the key " + hex(write) + " to exist when it is deleted, but it does not.");
                }
                usedBytes -= before == null ? 0 : before.length + write.key().length;
            }
            case DELETE_RANGE -> {
                NavigableMap<byte[], byte[]> range = table.subMap(write.key(), true, write.argument(), false);
                range.forEach((key, value) -> usedBytes -= key.length + value.length);
                range.clear();
            }
        }
    }

    private static String hex(Write write) {
        return hex(write.key()) + " of " + write.table();
    }

    private static String hex(byte[] key) {
        return HexFormat.of().formatHex(key);
    }

    /** Returns the first row that differs from other tables, or null if all rows of all tables are equal. */
    public @Nullable String difference(SimulatedTables other) {
        for (Table table : Table.values()) {
            NavigableMap<byte[], byte[]> theirs = other.rows(table);
            for (Map.Entry<byte[], byte[]> row : rows(table).entrySet()) {
                byte[] value = theirs.get(row.getKey());
                if (value == null || !Arrays.equals(value, row.getValue())) {
                    return "the row " + hex(row.getKey()) + " of " + table
                            + (value == null ? " is missing" : " differs");
                }
            }
            for (byte[] key : theirs.keySet()) {
                if (!rows(table).containsKey(key)) {
                    return "there is a row " + hex(key) + " of " + table + " too many";
                }
            }
        }
        return null;
    }
}
