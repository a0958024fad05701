package dev.jitney.server.stores;

import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.StoreCursor;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import dev.jitney.store.rocksdb.files.OwnerOnly;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
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
 * What one messaging store knows of its entities, once more in a file {@code entities-N.copy} of the data directory, so that a
 * server can start while the disk of the store is away. It is written anew whenever the store is opened, and followed change
 * by change:
 *
 * <table>
 * <caption>entities-N.copy: a byte with the version, 1, then records of</caption>
 * <tr><th>bytes</th><th>meaning</th></tr>
 * <tr><td>4</td><td>length n of the changes</td></tr>
 * <tr><td>4</td><td>CRC-32 of the changes</td></tr>
 * <tr><td>n</td><td>changes made together, each: kind (1: 0 put, 1 delete, 2 delete a range), id of the table (1), length of the
 * key (4), key, length (4) and value or end of the range, which a delete does not have</td></tr>
 * </table>
 *
 * <p>The last record may not be whole: it was being written, and does not count. One in the middle is damage. If the file
 * cannot be written it is removed, because one that lags behind would be worse than none. For one thread.
 */
final class EntityCopy {
    private static final Logger LOG = LoggerFactory.getLogger(EntityCopy.class);
    private static final Set<Table> TABLES = EnumSet.of(Table.META, Table.ENTITIES, Table.RULES, Table.PARTS);
    private static final byte VERSION = 1;
    private static final byte PUT = 0;
    private static final byte DELETE = 1;
    private static final byte DELETE_RANGE = 2;
    private static final long APPENDED_BYTES_MAX = 4 << 20;

    /** No key of these tables begins like that. */
    private static final byte[] BEHIND_ALL = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1};

    private final Path file;
    private @Nullable FileChannel out;
    private long appended;

    EntityCopy(Path dataDir, int index) {
        file = dataDir.resolve("entities-" + index + ".copy");
    }

    static boolean covers(Table table) {
        return TABLES.contains(table);
    }

    // --- reading ---

    /** The rows of the store by table, or null if there is no copy. */
    @Nullable
    Map<Table, NavigableMap<byte[], byte[]>> read() throws IOException {
        if (!Files.exists(file)) {
            return null;
        }
        Map<Table, NavigableMap<byte[], byte[]>> rows = new EnumMap<>(Table.class);
        TABLES.forEach(table -> rows.put(table, new TreeMap<>(Arrays::compareUnsigned)));
        try (InputStream bytes = new BufferedInputStream(Files.newInputStream(file));
                DataInputStream in = new DataInputStream(bytes)) {
            if (in.readByte() != VERSION || !readRecord(in, rows)) { // the first one was there before the file was
                throw new IOException("Expected " + file + " to be whole and of version " + VERSION + ".");
            }
            readChanges(in, rows);
        }
        return rows;
    }

    private void readChanges(DataInputStream in, Map<Table, NavigableMap<byte[], byte[]>> rows) throws IOException {
        try {
            while (readRecord(in, rows)) {
                // and the next one
            }
        } catch (EOFException e) {
            // The end, or a change that was not written wholly, so that nobody was told of it.
        }
    }

    private boolean readRecord(DataInputStream in, Map<Table, NavigableMap<byte[], byte[]>> rows) throws IOException {
        int length = in.readInt();
        int crc = in.readInt();
        if (length < 0 || length > Files.size(file)) {
            return false;
        }
        byte[] changes = in.readNBytes(length);
        if (changes.length < length || crc(changes) != crc) {
            if (in.read() >= 0) {
                throw new IOException("Expected " + file + " to be whole, but it is damaged.");
            }
            return false;
        }
        ByteBuffer all = ByteBuffer.wrap(changes);
        while (all.hasRemaining()) {
            byte kind = all.get();
            NavigableMap<byte[], byte[]> table = rows.get(table(all.get()));
            byte[] key = bytes(all);
            byte[] value = kind == DELETE ? null : bytes(all);
            if (table == null) {
                continue;
            } else if (kind == PUT && value != null) {
                table.put(key, value);
            } else if (kind == DELETE_RANGE && value != null) {
                table.subMap(key, value).clear();
            } else {
                table.remove(key);
            }
        }
        return true;
    }

    private static @Nullable Table table(byte id) {
        for (Table table : TABLES) {
            if (table.id() == id) {
                return table;
            }
        }
        return null;
    }

    private static byte[] bytes(ByteBuffer from) {
        byte[] bytes = new byte[from.getInt()];
        from.get(bytes);
        return bytes;
    }

    // --- writing ---

    /** Some changes that are made together. */
    static final class Changes {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final DataOutputStream to = new DataOutputStream(bytes);

        void put(Table table, byte[] key, byte[] value) {
            add(PUT, table, key, value);
        }

        void delete(Table table, byte[] key) {
            add(DELETE, table, key, null);
        }

        void deleteRange(Table table, byte[] from, byte[] end) {
            add(DELETE_RANGE, table, from, end);
        }

        private void add(byte kind, Table table, byte[] key, byte @Nullable [] value) {
            try {
                to.writeByte(kind);
                to.writeByte(table.id());
                to.writeInt(key.length);
                to.write(key);
                if (value != null) {
                    to.writeInt(value.length);
                    to.write(value);
                }
            } catch (IOException e) {
                throw new IllegalStateException("Expected memory to take bytes.", e);
            }
        }

        boolean isEmpty() {
            return bytes.size() == 0;
        }

        void clear() {
            bytes.reset();
        }
    }

    /** Writes all of it anew. */
    void rewrite(MessagingStore store) {
        close();
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            Changes all = new Changes();
            for (Table table : TABLES) {
                try (StoreCursor rows = store.scan(table, new byte[0], BEHIND_ALL)) {
                    while (rows.next()) {
                        all.put(table, rows.key(), rows.value());
                    }
                }
            }
            FileChannel opened = OwnerOnly.open(
                    part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
            out = opened;
            writeFully(opened, ByteBuffer.wrap(new byte[] {VERSION}));
            append(opened, all);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            PropertyFile.sync(file.getParent());
            appended = 0;
        } catch (IOException | StoreException e) {
            giveUp(e);
        }
    }

    /** Follows changes that the store has made durable. */
    void follow(Changes changes, MessagingStore store) {
        FileChannel current = out;
        if (current == null || appended > APPENDED_BYTES_MAX) {
            rewrite(store);
            return;
        }
        try {
            append(current, changes);
        } catch (IOException e) {
            giveUp(e);
        }
    }

    private void append(FileChannel to, Changes changes) throws IOException {
        byte[] bytes = changes.bytes.toByteArray();
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
                "{} cannot be written: until that works again, the server only starts while the store is there.",
                file,
                why);
        close();
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("{} lags behind its store and cannot be removed; remove it by hand.", file, e);
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
