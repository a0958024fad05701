package dev.jitney.runtime.store;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Between which keys of each table something was deleted, and how often. Not safe for threads. */
public final class DeletedKeys {
    private static final int TABLES = Table.values().length;

    private final byte[] @Nullable [] smallest = new byte[TABLES][];
    private final byte[] @Nullable [] greatest = new byte[TABLES][];
    private long count;

    /** Notes that a key was deleted, or all keys in a range. The arrays are kept. */
    public void add(Table table, byte[] from, byte[] to) {
        extend(table.ordinal(), from, to);
        count++;
    }

    /** Notes all that another one knows. */
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

    /** The smallest key that was deleted from a table; null if none was. */
    public byte @Nullable [] smallest(Table table) {
        return smallest[table.ordinal()];
    }

    /** The greatest key that was deleted from a table, or the end of a range; null if none was. */
    public byte @Nullable [] greatest(Table table) {
        return greatest[table.ordinal()];
    }

    /** How many deletions were noted; a range counts as one. */
    public long count() {
        return count;
    }

    /** Forgets all. */
    public void clear() {
        if (count > 0) {
            Arrays.fill(smallest, null);
            Arrays.fill(greatest, null);
            count = 0;
        }
    }
}
