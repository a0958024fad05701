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
 * How far a store was durable at least, noted beside it in {@value #FILE_NAME}, so that damage is told from a crash.
 *
 * <p>The end of a log, and that of RocksDB's manifest, has to be taken for the end of what was written, because a crash leaves the
 * last record torn. But a file that was cut short, a sector that came back empty or a damaged length look the same, and the
 * store would open without what was behind them, acknowledged or not, and say nothing. So a store that is opened has to have at
 * least what is noted here.
 *
 * <table>
 * <caption>jitney.synced, big-endian</caption>
 * <tr><th>offset</th><th>bytes</th><th>meaning</th></tr>
 * <tr><td>0</td><td>4</td><td>version, 1</td></tr>
 * <tr><td>4</td><td>8</td><td>the log</td></tr>
 * <tr><td>12</td><td>8</td><td>number of the last commit to it, or 0: it is not needed, everything is in the tables</td></tr>
 * <tr><td>20</td><td>8</td><td>number of the manifest</td></tr>
 * <tr><td>28</td><td>8</td><td>how many bytes of it were synced</td></tr>
 * <tr><td>36</td><td>4</td><td>their CRC-32C</td></tr>
 * <tr><td>40</td><td>4</td><td>CRC-32C of the bytes before</td></tr>
 * </table>
 *
 * <p>The note is written after what it tells of was synced, a few times a second and when the store is closed. It is synced
 * itself, with its name, when the store opens, so before the first commit is acknowledged, and when the store closes. So it
 * survives a kill of the process as it is. After a power cut it may be the one of half a minute ago, but not older than the last
 * start, or damaged, which only means that less is checked. Thread-safe, because a store may be closed by another thread than the
 * one that commits.
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

    /** @param directory of the store */
    DurabilityMarker(Path directory) {
        file = directory.resolve(FILE_NAME);
        db = directory.resolve("db");
    }

    /**
     * Compares the manifest with the note, if there is one; to be asked before the database is opened, which removes files
     * that it does not know of.
     *
     * @throws StoreException {@code CORRUPT} if something is gone
     */
    synchronized void checkManifest() throws StoreException {
        try {
            ByteBuffer note = read();
            noted = note == null ? NOTHING : new LogPosition(note.getLong(4), note.getLong(12));
            if (note != null) {
                checkManifest(note.getLong(20), note.getLong(28), note.getInt(36));
            }
        } catch (IOException e) {
            throw Faults.of("to look into the messaging store in " + db, e);
        }
    }

    /**
     * Compares what the tables know of the log with the note, before a log is made or removed.
     *
     * @param flushed the last commit in the tables, null if they know of no log
     * @throws StoreException {@code CORRUPT} if something is gone
     */
    synchronized void checkTables(@Nullable LogPosition flushed) throws StoreException {
        if (noted.number() > 0 && (flushed == null || flushed.log() != noted.log())) {
            throw gone("its tables know nothing of a log to which commit " + noted.number() + " was acknowledged");
        }
    }

    /**
     * Compares the end of the log with the note.
     *
     * @param last the last commit that was found
     * @throws StoreException {@code CORRUPT} if something is gone
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
                throw gone("the first " + bytes + " bytes of " + current + " are not what was written");
            }
        }
    }

    private StoreException gone(String what) {
        return new StoreException(
                StoreException.Reason.CORRUPT,
                "The messaging store in " + file.getParent() + " is damaged: " + what
                        + ". Restore it from a backup, or remove " + file + " to open it without what is gone.");
    }

    /**
     * Begins to take notes of an open database. The first note is on disk when this returns.
     *
     * @throws IOException if the file cannot be made or synced
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

    /** Notes what is durable by now, if it is more than before; cheap when it is not. */
    synchronized void reached(LogPosition last) {
        note(last);
    }

    /**
     * Notes on disk that everything is in tables and the log is not needed any more. An older note would demand a log
     * that the caller is about to remove.
     *
     * @return whether that could be noted; if not, keep the log
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
            // By the next one, which is found the next time.
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

    /** An older note is still true. */
    private void failed(Exception e) {
        manifest = null;
        if (!failing) {
            failing = true;
            LOG.warn("{} cannot be written; damage to the ends of logs may go unnoticed.", file, e);
        }
    }

    /** Ends the notes; what was noted last is synced. */
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

    /** The note, or null where there is none that can be used. */
    private @Nullable ByteBuffer read() throws IOException {
        try {
            if (Files.size(file) == SIZE) {
                ByteBuffer noted = ByteBuffer.wrap(Files.readAllBytes(file));
                if (noted.getInt(0) == VERSION && noted.getInt(SIZE - 4) == crc(noted)) {
                    return noted;
                }
            }
            LOG.warn("{} is damaged and not used; damage to the ends of logs may go unnoticed this time.", file);
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
                    "Expected the name of a manifest in " + current + ", but it is damaged");
        }
        return db.resolve(name.strip());
    }

    private static long number(Path manifest) {
        return Long.parseLong(manifest.getFileName().toString().substring(MANIFEST.length()));
    }

    /** Goes on with a checksum up to a position; answers where it ended. */
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
