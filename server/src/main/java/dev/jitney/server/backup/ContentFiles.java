package dev.jitney.server.backup;

import dev.jitney.store.rocksdb.files.OwnerOnly;
import dev.jitney.store.rocksdb.log.FileCommitLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The files of all backups in a directory, each named by the SHA-256 of its content. Several backups share a file with the same
 * content. A file gets its name when it is complete and on the disk. No symbolic link is followed. For one thread.
 */
final class ContentFiles {
    private static final String PART = "copying.part";
    private static final int CHUNK = 1 << 20;

    private final Path directory;
    private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK);

    /** @param directory the directory of the files, which exists */
    ContentFiles(Path directory) {
        this.directory = directory;
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is a part of every Java", e);
        }
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private Path place(String sha256) {
        return directory.resolve(sha256);
    }

    /** Returns whether there is a file of this content, by its name and its size. */
    boolean has(String sha256, long bytes) throws IOException {
        return sizeOf(place(sha256)) == bytes;
    }

    /** Returns the size of a regular file, or -1. */
    static long sizeOf(Path file) throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return -1;
        }
        BasicFileAttributes attributes =
                Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return attributes.isRegularFile() ? attributes.size() : -1;
    }

    /**
     * Adds a copy of a file, unless its content is there already.
     *
     * @param expected the checksum that the file probably has, which saves a copy if it is there already, or null
     * @param done     receives the bytes that were read
     * @return the checksum, and whether the content is new
     */
    Added add(Path file, @Nullable String expected, Pace pace, LongConsumer done) throws IOException {
        long bytes = Files.size(file);
        if (expected != null && has(expected, bytes)) {
            String actual = transfer(file, null, pace, done);
            if (actual.equals(expected)) {
                return new Added(actual, bytes, false);
            }
        }
        Path part = directory.resolve(PART);
        Files.deleteIfExists(part);
        String sha256;
        try (FileChannel out = OwnerOnly.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            sha256 = transfer(file, out, pace, done);
            out.force(true);
        }
        long copied = Files.size(part);
        if (has(sha256, copied)) {
            Files.delete(part);
            return new Added(sha256, copied, false);
        }
        moveInto(part, place(sha256));
        return new Added(sha256, copied, true);
    }

    private static void moveInto(Path part, Path place) throws IOException {
        try {
            Files.move(part, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(part, place, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** A file that was added. */
    record Added(String sha256, long bytes, boolean isNew) {}

    /** Makes the names of all files durable. */
    void sync() throws IOException {
        FileCommitLog.sync(directory);
    }

    /**
     * Writes the content of a file to a new file, which is synced, and checks it.
     *
     * @throws BackupException if the content is missing or damaged
     */
    void copyTo(Manifest.File file, Path target, Pace pace, LongConsumer done) throws IOException, BackupException {
        requireThere(file);
        try (FileChannel out = OwnerOnly.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            requireSame(file, transfer(place(file.sha256()), out, pace, done));
            out.force(true);
        }
    }

    /** Reads the content of a file, and checks it. */
    void check(Manifest.File file, Pace pace, LongConsumer done) throws IOException, BackupException {
        requireThere(file);
        requireSame(file, transfer(place(file.sha256()), null, pace, done));
    }

    private void requireThere(Manifest.File file) throws IOException, BackupException {
        long bytes = sizeOf(place(file.sha256()));
        if (bytes < 0) {
            throw new BackupException("Missing: " + place(file.sha256()) + ", the content of " + file.name() + ".");
        } else if (bytes != file.bytes()) {
            throw new BackupException("Damaged: " + place(file.sha256()) + ", the content of " + file.name()
                    + ": Expected " + file.bytes() + " bytes, but got " + bytes + ".");
        }
    }

    private void requireSame(Manifest.File file, String sha256) throws BackupException {
        if (!sha256.equals(file.sha256())) {
            throw new BackupException("Damaged: " + place(file.sha256()) + ", the content of " + file.name()
                    + ": Expected content with the SHA-256 of its name, but it differs.");
        }
    }

    /** Reads a file to its end, and returns its checksum. */
    private String transfer(Path from, @Nullable FileChannel to, Pace pace, LongConsumer done) throws IOException {
        MessageDigest digest = sha256();
        try (FileChannel in = FileChannel.open(from, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            int read = in.read(chunk.clear());
            while (read >= 0) {
                pace.take(read);
                digest.update(chunk.flip());
                chunk.rewind();
                while (to != null && chunk.hasRemaining()) {
                    to.write(chunk);
                }
                done.accept(read);
                read = in.read(chunk.clear());
            }
        }
        return hex(digest.digest());
    }

    /** Returns the names of all files and directories in it. */
    List<String> names() throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
            all.forEach(path -> names.add(path.getFileName().toString()));
        }
        return names;
    }

    /**
     * Deletes the files of interrupted backups and those that no backup has. Others are not ours, and stay.
     *
     * @param used the checksums that backups have
     * @return the bytes that were freed
     */
    long deleteUnused(Set<String> used) throws IOException {
        long freed = 0;
        for (String name : names()) {
            if (name.equals(PART) || Manifest.isChecksum(name) && !used.contains(name)) {
                freed += Math.max(0, sizeOf(directory.resolve(name)));
                Files.delete(directory.resolve(name));
            }
        }
        return freed;
    }

    /** Returns whether a file in the directory may belong to a backup that runs or was interrupted. */
    static boolean isPart(String name) {
        return name.equals(PART);
    }
}
