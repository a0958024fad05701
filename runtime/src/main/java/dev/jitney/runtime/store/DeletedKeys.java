package dev.jitney.runtime.store;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The smallest and greatest deleted key of each table, and the number of deletions. Not thread-safe. */
public final class DeletedKeys {
    private static final int TABLES = Table.values().length;

    private final byte[] @Nullable [] smallest = new byte[TABLES][];
    private final byte[] @Nullable [] greatest = new byte[TABLES][];
    private long count;

    /** Adds a deleted key, or a deleted range. The arrays are kept. */
    public void add(Table table, byte[] from, byte[] to) {
        extend(table.ordinal(), from, to);
        count++;
    }

    /** Adds all deletions of another object. */
    public void addAll(DeletedKeys other) {
        if (other.count > 0) {
            for (int i = 0; i < TABLES; i++) {
                byte[] from = other.smallest[i];
                byte[] to = other.greatest[i];
                if (from != null && to != null) {
                    extend(i, from, to);
                }
            }
            count += other.count;
        }
    }

    private void extend(int i, byte[] from, byte[] to) {
        byte[] least = smallest[i];
        byte[] most = greatest[i];
        if (least == null || Arrays.compareUnsigned(from, least) < 0) {
            smallest[i] = from;
        }
        if (most == null || Arrays.compareUnsigned(to, most) > 0) {
            greatest[i] = to;
        }
    }

    /** Returns the smallest key deleted from a table, or null. */
    public byte @Nullable [] smallest(Table table) {
        return smallest[table.ordinal()];
    }

    /** Returns the greatest key deleted from a table, or the end of a range, or null. */
    public byte @Nullable [] greatest(Table table) {
        return greatest[table.ordinal()];
    }

    /** Returns the number of deletions. A range counts as one. */
    public long count() {
        return count;
    }

    /** Removes all deletions. */
    public void clear() {
        if (count > 0) {
            Arrays.fill(smallest, null);
            Arrays.fill(greatest, null);
            count = 0;
        }
    }
}
