package dev.jitney.server.stores;

import dev.jitney.runtime.store.DiskFigures;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.StoreException.Reason;
import dev.jitney.runtime.store.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * One of several messaging stores, without which a server can start, because an {@link EntityCopy} of its entities is
 * in the data directory. An unavailable store shows its entities without messages. Like a failed store, it refuses
 * commits, and {@link #reopen} tries to open it.
 *
 * <p>Threads as in {@link MessagingStore}.
 */
public final class CopiedStore implements MessagingStore {
    private final EntityCopy copy;
    private final Opening opening;

    /** The rows of the copy; used only while the store is unavailable. */
    private volatile Map<Table, NavigableMap<byte[], byte[]>> rows;

    /** The store; null while it is unavailable. */
    private volatile @Nullable MessagingStore store;

    /** The reason why the store is unavailable. */
    private volatile String trouble = "";

    private CopiedStore(EntityCopy copy, Opening opening, Map<Table, NavigableMap<byte[], byte[]>> rows) {
        this.copy = copy;
        this.opening = opening;
        this.rows = rows;
    }

    /** The action that opens the store, if it is the right one. */
    @FunctionalInterface
    public interface Opening {
        MessagingStore open() throws StoreException;
    }

    /** Returns an available store and keeps a copy of its entities from now on. */
    public static CopiedStore of(MessagingStore opened, Path dataDir, int index) {
        CopiedStore copied = new CopiedStore(new EntityCopy(dataDir, index), () -> opened, Map.of());
        copied.take(opened);
        return copied;
    }

    /**
     * Returns a store that is unavailable.
     *
     * @param trouble the reason, and the fix
     * @param opening tried repeatedly
     * @return null if there is no usable copy of its entities
     */
    public static @Nullable CopiedStore away(Path dataDir, int index, String trouble, Opening opening)
            throws StoreException {
        EntityCopy copy = new EntityCopy(dataDir, index);
        try {
            Map<Table, NavigableMap<byte[], byte[]>> rows = copy.read();
            if (rows == null) {
                return null;
            }
            CopiedStore away = new CopiedStore(copy, opening, rows);
            away.trouble = trouble;
            return away;
        } catch (IOException | RuntimeException e) {
            throw new StoreException(Reason.IO, trouble + " The copy of its entities cannot be read: " + e, e);
        }
    }

    private void take(MessagingStore opened) {
        copy.rewrite(opened);
        store = opened;
        rows = Map.of();
    }

    private StoreException absent() {
        return new StoreException(Reason.IO, trouble);
    }

    /** Returns the store itself, or null while it is unavailable. Any thread may call it. */
    @Nullable
    MessagingStore opened() {
        return store;
    }

    /** Deletes the copy of the entities of a store, if there is one. */
    public static void deleteCopy(Path dataDir, int index) throws IOException {
        EntityCopy.delete(dataDir, index);
    }

    @Override
    public void commit(RowBatch batch) throws StoreException {
        MessagingStore there = store;
        if (there == null) {
            throw absent();
        }
        there.commit(batch);
        if (EntityCopy.covers(batch)) {
            copy.follow(batch, there);
        }
    }

    @Override
    public void afterCommit() {
        MessagingStore there = store;
        if (there != null) {
            there.afterCommit();
        }
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) throws StoreException {
        MessagingStore there = store;
        if (there != null) {
            return there.get(table, key);
        }
        NavigableMap<byte[], byte[]> copied = rows.get(table);
        byte[] value = copied == null ? null : copied.get(key);
        return value == null ? null : value.clone();
    }

    @Override
    public StoreCursor scan(Table table, byte[] from, byte[] to) throws StoreException {
        MessagingStore there = store;
        if (there != null) {
            return there.scan(table, from, to);
        }
        NavigableMap<byte[], byte[]> copied = rows.get(table);
        return new CopyCursor(
                copied == null || Arrays.compareUnsigned(from, to) >= 0
                        ? List.of()
                        : List.copyOf(copied.subMap(from, to).entrySet()));
    }

    @Override
    public boolean acceptsGrowth() {
        MessagingStore there = store;
        return there != null && there.acceptsGrowth();
    }

    @Override
    public @Nullable DiskFigures disk() {
        MessagingStore there = store;
        return there == null ? null : there.disk();
    }

    @Override
    public void check() throws StoreException {
        MessagingStore there = store;
        if (there == null) {
            throw absent();
        }
        there.check();
    }

    @Override
    public void suspend() {
        MessagingStore there = store;
        if (there != null) {
            there.suspend();
        }
    }

    @Override
    public void reopen() throws StoreException {
        MessagingStore there = store;
        if (there != null) {
            there.reopen();
        } else {
            take(opening.open());
        }
    }

    @Override
    public void close() {
        MessagingStore there = store;
        if (there != null) {
            there.close();
        }
        copy.close();
    }

    /** A cursor over rows of the copy. */
    private static final class CopyCursor implements StoreCursor {
        private final List<Entry<byte[], byte[]>> rows;
        private int at = -1;

        CopyCursor(List<Entry<byte[], byte[]>> rows) {
            this.rows = rows;
        }

        @Override
        public boolean next() {
            at++;
            return at < rows.size();
        }

        @Override
        public byte[] key() {
            return rows.get(at).getKey().clone();
        }

        @Override
        public byte[] value() {
            return rows.get(at).getValue().clone();
        }

        @Override
        public void close() {}
    }
}
