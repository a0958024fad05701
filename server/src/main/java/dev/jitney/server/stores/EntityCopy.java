package dev.jitney.server.stores;

import dev.jitney.runtime.rows.DocumentKeys;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.RowBatchReader;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import dev.jitney.store.rocksdb.files.OwnerOnly;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy of one messaging store's entities in a file {@code entities-N.copy} of the data directory. It lets a server
 * start while the disk of the store is unavailable. Jitney rewrites the file whenever it opens the store, and appends
 * every later change:
 *
 * <table>
 * <caption>entities-N.copy: a byte with the version, 2, then records of</caption>
 * <tr><th>bytes</th><th>meaning</th></tr>
 * <tr><td>4</td><td>length n of the changes</td></tr>
 * <tr><td>4</td><td>CRC-32 of the changes</td></tr>
 * <tr><td>n</td><td>changes made together: a batch in the encoding of {@link RowBatch}</td></tr>
 * </table>
 *
 * <p>Version 1 has an encoding of its own, see {@link VersionOneChanges}. Jitney reads a file of that version, and
 * rewrites it like any other when it opens the store.
 *
 * <p>An incomplete last record was being written and is ignored. An incomplete record in the middle is corruption. If
 * the file cannot be written, Jitney deletes it, because an outdated copy would be worse than none. For one thread.
 */
final class EntityCopy {
    private static final Logger LOG = LoggerFactory.getLogger(EntityCopy.class);
    private static final Set<Table> TABLES = EnumSet.of(Table.META, Table.ENTITIES, Table.RULES, Table.PARTS);
    private static final byte VERSION = 2;
    private static final byte VERSION_ONE = 1;
    private static final long APPENDED_BYTES_MAX = 4 << 20;

    /** A key behind all keys of these tables. */
    private static final byte[] BEHIND_ALL = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1};

    private final Path file;
    private @Nullable FileChannel out;
    private long appended;

    EntityCopy(Path dataDir, int index) {
        file = file(dataDir, index);
    }

    private static Path file(Path dataDir, int index) {
        return dataDir.resolve("entities-" + index + ".copy");
    }

    /** Deletes the copy of a store, if there is one. */
    static void delete(Path dataDir, int index) throws IOException {
        Files.deleteIfExists(file(dataDir, index));
    }

    /** Returns whether a batch changes a table of the copy, though perhaps only rows that are not copied. */
    static boolean covers(RowBatch batch) {
        for (Table table : TABLES) {
            if (batch.touches(table)) {
                return true;
            }
        }
        return false;
    }

    // --- reading ---

    /** Returns the rows of the store by table, or null if there is no copy. */
    @Nullable
    Map<Table, NavigableMap<byte[], byte[]>> read() throws IOException {
        if (!Files.exists(file)) {
            return null;
        }
        Map<Table, NavigableMap<byte[], byte[]>> rows = new EnumMap<>(Table.class);
        TABLES.forEach(table -> rows.put(table, new TreeMap<>(Arrays::compareUnsigned)));
        try (InputStream bytes = new BufferedInputStream(Files.newInputStream(file));
                DataInputStream in = new DataInputStream(bytes)) {
            byte version = in.readByte();
            boolean known = version == VERSION || version == VERSION_ONE;
            if (!known || !readRecord(in, version, rows)) { // the first record is written before the file gets its name
                throw new IOException("Expected " + file + " to be complete and of version " + VERSION + ".");
            }
            readChanges(in, version, rows);
        }
        return rows;
    }

    private void readChanges(DataInputStream in, byte version, Map<Table, NavigableMap<byte[], byte[]>> rows)
            throws IOException {
        try {
            while (readRecord(in, version, rows)) {
                // continue with the next record
            }
        } catch (EOFException e) {
            // The end, or an incomplete change, which was never acknowledged.
        }
    }

    private boolean readRecord(DataInputStream in, byte version, Map<Table, NavigableMap<byte[], byte[]>> rows)
            throws IOException {
        int length = in.readInt();
        int crc = in.readInt();
        if (length < 0 || length > Files.size(file)) {
            return false;
        }
        byte[] changes = in.readNBytes(length);
        if (changes.length < length || crc(changes) != crc) {
            if (in.read() >= 0) {
                throw new IOException("Expected " + file + " to be intact, but it is corrupt.");
            }
            return false;
        }
        if (version == VERSION_ONE) {
            VersionOneChanges.apply(changes, rows);
        } else {
            apply(changes, rows);
        }
        return true;
    }

    private void apply(byte[] changes, Map<Table, NavigableMap<byte[], byte[]>> rows) throws IOException {
        try {
            RowBatchReader batch = RowBatchReader.of(changes);
            while (batch.next()) {
                NavigableMap<byte[], byte[]> table = rows.get(batch.table());
                if (table != null) {
                    switch (batch.operation()) {
                        case PUT -> table.put(batch.key(), batch.argument());
                        case DELETE -> table.remove(batch.key());
                        case DELETE_RANGE ->
                            table.subMap(batch.key(), batch.argument()).clear();
                    }
                }
            }
        } catch (StoreException e) {
            throw new IOException("Expected " + file + " to be intact, but it is corrupt: " + e.getMessage(), e);
        }
    }

    // --- writing ---

    /** Rewrites the whole file. */
    void rewrite(MessagingStore store) {
        close();
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            RowBatch all = new RowBatch();
            for (Table table : TABLES) {
                try (StoreCursor rows = store.scan(table, new byte[0], BEHIND_ALL)) {
                    while (rows.next()) {
                        if (isCopied(table, rows.key())) {
                            all.put(table, rows.key(), rows.value());
                        }
                    }
                }
            }
            FileChannel opened = OwnerOnly.open(
                    part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
            out = opened;
            writeFully(opened, ByteBuffer.wrap(new byte[] {VERSION}));
            append(opened, all.encoded());
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            PropertyFile.sync(file.getParent());
            appended = 0;
        } catch (IOException | StoreException e) {
            giveUp(e);
        }
    }

    /** Appends the changes of a durable batch to the tables of the copy. */
    void follow(RowBatch batch, MessagingStore store) {
        try {
            RowBatch changes = covered(batch);
            FileChannel current = out;
            if (changes.isEmpty()) {
                return; // only rows that are not copied
            }
            if (current == null || appended > APPENDED_BYTES_MAX) {
                rewrite(store);
            } else {
                append(current, changes.encoded());
            }
        } catch (IOException | StoreException e) {
            giveUp(e);
        }
    }

    /** Returns whether the copy has a row. Documents of operators change often, and a start does not need them. */
    private static boolean isCopied(Table table, byte[] key) {
        return TABLES.contains(table) && !(table == Table.META && DocumentKeys.isDocument(key));
    }

    private static RowBatch covered(RowBatch batch) throws StoreException {
        RowBatch covered = new RowBatch();
        RowBatchReader rows = batch.reader();
        while (rows.next()) {
            Table table = rows.table();
            if (isCopied(table, rows.key())) {
                switch (rows.operation()) {
                    case PUT -> covered.put(table, rows.key(), rows.argument());
                    case DELETE -> covered.delete(table, rows.key());
                    case DELETE_RANGE -> covered.deleteRange(table, rows.key(), rows.argument());
                }
            }
        }
        return covered;
    }

    private void append(FileChannel to, byte[] bytes) throws IOException {
        ByteBuffer record = ByteBuffer.allocate(8 + bytes.length);
        record.putInt(bytes.length).putInt(crc(bytes)).put(bytes).flip();
        writeFully(to, record);
        to.force(false);
        appended += bytes.length;
    }

    private static void writeFully(FileChannel to, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            to.write(bytes);
        }
    }

    private void giveUp(Exception why) {
        LOG.warn(
                "Cannot write {}. Until writing works again, the server can start only while the store is available.",
                file,
                why);
        close();
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("{} is older than its store and cannot be deleted. Delete it manually.", file, e);
        }
    }

    void close() {
        FileChannel current = out;
        out = null;
        if (current != null) {
            try {
                current.close();
            } catch (IOException e) {
                LOG.debug("Failed to close {}", file, e);
            }
        }
    }

    private static int crc(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
