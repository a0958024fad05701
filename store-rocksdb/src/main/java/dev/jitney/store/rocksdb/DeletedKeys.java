package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.Table;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Between which keys of each table something was deleted, and how often. Not safe for threads. */
final class DeletedKeys {
    private static final int TABLES = Table.values().length;

    private final byte[] @Nullable [] smallest = new byte[TABLES][];
    private final byte[] @Nullable [] greatest = new byte[TABLES][];
    private long count;

    void add(Table table, byte[] from, byte[] to) {
        extend(table.ordinal(), from, to);
        count++;
    }

    void addAll(DeletedKeys other) {
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

    byte @Nullable [] smallest(Table table) {
        return smallest[table.ordinal()];
    }

    byte @Nullable [] greatest(Table table) {
        return greatest[table.ordinal()];
    }

    long count() {
        return count;
    }

    void clear() {
        if (count > 0) {
            Arrays.fill(smallest, null);
            Arrays.fill(greatest, null);
            count = 0;
        }
    }
}
