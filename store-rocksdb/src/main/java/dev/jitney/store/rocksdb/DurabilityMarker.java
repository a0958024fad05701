package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.LogPosition;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.store.rocksdb.files.OwnerOnly;
import dev.jitney.store.rocksdb.log.FileCommitLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A record of the data that was durable at least, in the file {@value #FILE_NAME} beside the store. It distinguishes
 * damage from a crash.
 *
 * <p>The last record of a log or of RocksDB's manifest may be incomplete after a crash, so a store must accept an
 * incomplete end. But a truncated file, a sector that is empty again or a damaged length look the same. The store
 * would silently open without the data behind them, even if it was acknowledged. So an opened store must contain at
 * least the data that is recorded here.
 *
 * <table>
 * <caption>jitney.synced, big-endian</caption>
 * <tr><th>offset</th><th>bytes</th><th>meaning</th></tr>
 * <tr><td>0</td><td>4</td><td>version, 1</td></tr>
 * <tr><td>4</td><td>8</td><td>the log</td></tr>
 * <tr><td>12</td><td>8</td><td>number of the last commit to it, or 0 if the log is not needed because everything is
 * in the tables</td></tr>
 * <tr><td>20</td><td>8</td><td>number of the manifest</td></tr>
 * <tr><td>28</td><td>8</td><td>number of synced bytes of the manifest</td></tr>
 * <tr><td>36</td><td>4</td><td>their CRC-32C</td></tr>
 * <tr><td>40</td><td>4</td><td>CRC-32C of the bytes before</td></tr>
 * </table>
 *
 * <p>The marker is written after the data that it describes was synced, a few times a second and when the store
 * closes. It is synced itself, with its name, when the store opens, which is before the first commit is acknowledged,
 * and when the store closes. So it survives a kill of the process. After a power failure it may be half a minute old,
 * but not older than the last start. It may also be damaged, which only means fewer checks. Thread-safe, because the
 * store may be closed by another thread than the one that commits.
 */
final class DurabilityMarker {
    static final String FILE_NAME = "jitney.synced";
    private static final Logger LOG = LoggerFactory.getLogger(DurabilityMarker.class);
    private static final int VERSION = 1;
    private static final int SIZE = 44;
    private static final int READ_BYTES = 64 << 10;
    private static final String MANIFEST = "MANIFEST-";
    private static final LogPosition NOTHING = new LogPosition(0, 0);

    private final Path file;
    private final Path db;
    private final ByteBuffer buffer = ByteBuffer.allocate(SIZE);
    private final CRC32C manifestCrc = new CRC32C();
    private @Nullable FileChannel channel;
    private @Nullable Path manifest;
    private long manifestBytes;
    private LogPosition noted = NOTHING;
    private boolean failing;

    /** @param directory the directory of the store */
    DurabilityMarker(Path directory) {
        file = directory.resolve(FILE_NAME);
        db = directory.resolve("db");
    }

    /**
     * Compares the manifest with the marker, if there is one. Call this before the database is opened, because that
     * deletes files that it does not know.
     *
     * @throws StoreException {@code CORRUPT} if data is missing
     */
    synchronized void checkManifest() throws StoreException {
        try {
            ByteBuffer note = read();
            noted = note == null ? NOTHING : new LogPosition(note.getLong(4), note.getLong(12));
            if (note != null) {
                checkManifest(note.getLong(20), note.getLong(28), note.getInt(36));
            }
        } catch (IOException e) {
            throw Faults.of("to read the messaging store in " + db, e);
        }
    }

    /**
     * Compares the log position in the tables with the marker, before a log is created or removed.
     *
     * @param flushed the last commit in the tables, null if they have no log position
     * @throws StoreException {@code CORRUPT} if data is missing
     */
    synchronized void checkTables(@Nullable LogPosition flushed) throws StoreException {
        if (noted.number() > 0 && (flushed == null || flushed.log() != noted.log())) {
            throw gone("its tables do not refer to the log in which commit " + noted.number() + " was acknowledged");
        }
    }

    /**
     * Compares the end of the log with the marker.
     *
     * @param last the last commit that was found
     * @throws StoreException {@code CORRUPT} if data is missing
     */
    synchronized void checkLog(LogPosition last) throws StoreException {
        if (last.number() < noted.number()) {
            throw gone("its log ends with commit " + last.number() + ", but commit " + noted.number()
                    + " was acknowledged");
        }
    }

    private void checkManifest(long number, long bytes, int crc) throws IOException, StoreException {
        Path current = currentManifest();
        long currentNumber = number(current);
        if (currentNumber < number) {
            throw gone("its manifest is " + current.getFileName() + ", but number " + number + " was written");
        }
        if (currentNumber == number) {
            CRC32C now = new CRC32C();
            if (digest(current, now, 0, bytes) < bytes || (int) now.getValue() != crc) {
                throw gone("the first " + bytes + " bytes of " + current + " differ from those that were written");
            }
        }
    }

    private StoreException gone(String what) {
        return new StoreException(
                StoreException.Reason.CORRUPT,
                "The messaging store in " + file.getParent() + " is damaged: " + what
                        + ". Restore it from a backup, or remove " + file + " to open it without the lost data.");
    }

    /**
     * Starts the marker of an open database. The first version is on disk when this returns.
     *
     * @throws IOException if the file cannot be created or synced
     */
    synchronized void opened(LogPosition last) throws IOException {
        close();
        FileChannel opened = OwnerOnly.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        channel = opened;
        manifest = null;
        note(last);
        opened.force(true);
        FileCommitLog.sync(Objects.requireNonNull(file.toAbsolutePath().getParent()));
    }

    /** Records the durable data if it has grown since the last call; cheap otherwise. */
    synchronized void reached(LogPosition last) {
        note(last);
    }

    /**
     * Records on disk that everything is in tables and the log is not needed any more. An older marker would require
     * a log that the caller is about to remove.
     *
     * @return whether that was recorded; if not, keep the log
     */
    synchronized boolean finished() {
        FileChannel out = channel;
        if (out == null || !note(new LogPosition(noted.log(), 0))) {
            return false;
        }
        try {
            out.force(false);
            return true;
        } catch (IOException e) {
            failed(e);
            return false;
        }
    }

    private boolean note(LogPosition last) {
        Path known = manifest;
        try {
            if (known == null || !Files.exists(known)) {
                manifestCrc.reset();
                manifestBytes = 0;
                manifest = null;
                follow(currentManifest());
            } else if (Files.size(known) > manifestBytes) {
                follow(known);
            } else if (last.equals(noted)) {
                return true;
            }
            noted = last;
            return write();
        } catch (NoSuchFileException replaced) {
            // The next manifest has replaced it, which the next call finds.
            manifest = null;
            return false;
        } catch (IOException | StoreException e) {
            failed(e);
            return false;
        }
    }

    private void follow(Path current) throws IOException {
        long size = Files.size(current);
        try (FileChannel synced = FileChannel.open(current, StandardOpenOption.WRITE)) {
            synced.force(false);
        }
        manifestBytes = digest(current, manifestCrc, manifestBytes, size);
        manifest = current;
    }

    private boolean write() throws IOException {
        FileChannel out = channel;
        Path current = manifest;
        if (out == null || current == null) {
            return false;
        }
        buffer.clear()
                .putInt(VERSION)
                .putLong(noted.log())
                .putLong(noted.number())
                .putLong(number(current))
                .putLong(manifestBytes)
                .putInt((int) manifestCrc.getValue())
                .putInt(crc(buffer))
                .flip();
        out.write(buffer, 0);
        failing = false;
        return true;
    }

    /** Handles a failed write. The older marker is still valid. */
    private void failed(Exception e) {
        manifest = null;
        if (!failing) {
            failing = true;
            LOG.warn(
                    "Failed to write {}. Until a write succeeds, Jitney may not detect damage at the end of the log.",
                    file,
                    e);
        }
    }

    /** Closes the file after a sync of the last version. */
    synchronized void close() {
        FileChannel open = channel;
        channel = null;
        if (open != null) {
            try (open) {
                open.force(false);
            } catch (IOException e) {
                failed(e);
            }
        }
    }

    /** Returns the content of the marker, or null if there is no valid one. */
    private @Nullable ByteBuffer read() throws IOException {
        try {
            if (Files.size(file) == SIZE) {
                ByteBuffer noted = ByteBuffer.wrap(Files.readAllBytes(file));
                if (noted.getInt(0) == VERSION && noted.getInt(SIZE - 4) == crc(noted)) {
                    return noted;
                }
            }
            LOG.warn(
                    "{} is damaged. Jitney ignores it, so this start may not detect damage at the end of the log.",
                    file);
            return null;
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private static int crc(ByteBuffer noted) {
        CRC32C crc = new CRC32C();
        crc.update(noted.array(), 0, SIZE - 4);
        return (int) crc.getValue();
    }

    private Path currentManifest() throws IOException, StoreException {
        Path current = db.resolve("CURRENT");
        String name =
                Files.size(current) > 100 ? "" : new String(Files.readAllBytes(current), StandardCharsets.ISO_8859_1);
        if (!name.matches(MANIFEST + "\\d{1,18}\n")) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "Expected the name of a manifest in " + current + ", but the file is damaged");
        }
        return db.resolve(name.strip());
    }

    private static long number(Path manifest) {
        return Long.parseLong(manifest.getFileName().toString().substring(MANIFEST.length()));
    }

    /** Updates a checksum up to a position; returns the end of the bytes read. */
    private static long digest(Path of, CRC32C crc, long from, long to) throws IOException {
        try (FileChannel in = FileChannel.open(of, StandardOpenOption.READ)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(READ_BYTES, Math.max(1, to - from)));
            long at = from;
            while (at < to) {
                bytes.clear().limit((int) Math.min(bytes.capacity(), to - at));
                int read = in.read(bytes, at);
                if (read < 0) {
                    return at;
                }
                crc.update(bytes.flip());
                at += read;
            }
            return at;
        }
    }
}
