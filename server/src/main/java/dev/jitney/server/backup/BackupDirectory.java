package dev.jitney.server.backup;

import dev.jitney.store.rocksdb.files.OwnerOnly;
import dev.jitney.store.rocksdb.log.FileCommitLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A directory with backups, which share files of the same content:
 *
 * <table>
 * <caption>Its content</caption>
 * <tr><td>{@code backup.lock}</td><td>locked by the process that makes or deletes backups</td></tr>
 * <tr><td>{@code manifests/ID.json}</td><td>a complete backup; written when all its files are on the disk</td></tr>
 * <tr><td>{@code files/SHA256}</td><td>a file of one or more backups</td></tr>
 * </table>
 *
 * <p>A backup without a manifest does not exist: an interrupted one leaves files only, which the next one deletes.
 */
public final class BackupDirectory {
    private static final String LOCK = "backup.lock";
    private static final String MANIFESTS = "manifests";
    private static final String FILES = "files";
    private static final String SUFFIX = ".json";
    private static final String PART = "manifest.part";

    /** The maximum number of backups in a directory. */
    static final int BACKUPS_MAX = 10_000;

    private final Path path;

    private BackupDirectory(Path path) {
        this.path = path;
    }

    /**
     * Returns a directory of backups, which may be missing or empty.
     *
     * @throws BackupException if it has other files
     */
    public static BackupDirectory of(Path directory) throws BackupException {
        Path path = directory.toAbsolutePath().normalize();
        try {
            if (Files.exists(path) && !Files.isDirectory(path.resolve(FILES), LinkOption.NOFOLLOW_LINKS)) {
                try (DirectoryStream<Path> content = Files.newDirectoryStream(path)) {
                    for (Path other : content) {
                        if (!Set.of(LOCK, MANIFESTS, FILES)
                                .contains(other.getFileName().toString())) {
                            throw new BackupException(directory
                                    + ": Expected a directory of backups or an empty one, but it has other files, such as "
                                    + other.getFileName() + ". Choose another directory.");
                        }
                    }
                }
            }
            return new BackupDirectory(path);
        } catch (NotDirectoryException e) {
            throw new BackupException(directory + ": Expected a directory, but it is a file.", e);
        } catch (IOException e) {
            throw new BackupException(directory + ": Cannot read the directory (" + e + ").", e);
        }
    }

    /**
     * Returns a directory that has backups.
     *
     * @throws BackupException if it has none
     */
    public static BackupDirectory existing(Path directory) throws BackupException {
        BackupDirectory found = of(directory);
        if (!Files.isDirectory(found.path.resolve(MANIFESTS), LinkOption.NOFOLLOW_LINKS)) {
            throw new BackupException(directory + ": Expected a directory of backups, but there are none.");
        }
        return found;
    }

    /** Returns its absolute path. */
    public Path path() {
        return path;
    }

    ContentFiles files() {
        return new ContentFiles(path.resolve(FILES));
    }

    /** The exclusive use of the directory, for changes. */
    final class Hold implements AutoCloseable {
        private final FileChannel channel;

        private Hold(FileChannel channel) {
            this.channel = channel;
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /**
     * Creates the directory if it does not exist, and excludes other processes from changes.
     *
     * @throws BackupException if another one holds it
     */
    Hold hold() throws IOException, BackupException {
        OwnerOnly.createDirectories(path);
        FileChannel channel = OwnerOnly.open(
                path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        try {
            if (tryLock(channel) != null) {
                for (String child : List.of(FILES, MANIFESTS)) {
                    if (!Files.isDirectory(path.resolve(child), LinkOption.NOFOLLOW_LINKS)) {
                        OwnerOnly.createDirectories(path.resolve(child));
                    }
                }
                FileCommitLog.sync(path);
                return new Hold(channel);
            }
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        channel.close();
        throw new BackupException(
                path + ": Expected to be the only user of this directory, but another backup or prune uses"
                        + " it. Wait until it has ended.");
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException heldByThisProcess) {
            return null;
        }
    }

    // --- manifests ---

    /** A backup in the directory, or the reason why its manifest cannot be used. */
    public record Entry(String id, @Nullable Manifest manifest, String trouble) {}

    /** Returns all backups, the oldest first. */
    public List<Entry> list() throws BackupException {
        List<Entry> entries = new ArrayList<>();
        for (String id : ids()) {
            try {
                entries.add(new Entry(id, read(id), ""));
            } catch (BackupException e) {
                entries.add(new Entry(id, null, String.valueOf(e.getMessage())));
            }
        }
        return entries;
    }

    private List<String> ids() throws BackupException {
        List<String> ids = new ArrayList<>();
        for (String name : namesIn(path.resolve(MANIFESTS))) {
            String id = name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : "";
            if (Manifest.isId(id)) {
                ids.add(id);
            }
        }
        if (ids.size() > BACKUPS_MAX) {
            throw new BackupException(path + ": Expected at most " + BACKUPS_MAX + " backups, but got " + ids.size()
                    + ". Delete the manifests of old ones.");
        }
        ids.sort(Comparator.naturalOrder());
        return ids;
    }

    private static List<String> namesIn(Path directory) throws BackupException {
        List<String> names = new ArrayList<>();
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            return names;
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
            all.forEach(file -> names.add(file.getFileName().toString()));
            return names;
        } catch (IOException e) {
            throw new BackupException(directory + ": Cannot read the directory (" + e + ").", e);
        }
    }

    /** Returns the names in the directory that do not belong there, relative to it. */
    List<String> foreign() throws BackupException {
        List<String> foreign = new ArrayList<>();
        for (String name : namesIn(path)) {
            if (!Set.of(LOCK, MANIFESTS, FILES).contains(name)) {
                foreign.add(name);
            }
        }
        for (String name : namesIn(path.resolve(MANIFESTS))) {
            boolean known = name.endsWith(SUFFIX) && Manifest.isId(name.substring(0, name.length() - SUFFIX.length()));
            if (!known && !name.equals(PART)) {
                foreign.add(MANIFESTS + "/" + name);
            }
        }
        return foreign;
    }

    private Path place(String id) {
        return path.resolve(MANIFESTS).resolve(id + SUFFIX);
    }

    /**
     * Reads the manifest of a backup.
     *
     * @throws BackupException if there is none, or it is damaged
     */
    public Manifest read(String id) throws BackupException {
        Path file = place(id);
        try {
            long bytes = Manifest.isId(id) ? ContentFiles.sizeOf(file) : -1;
            if (bytes < 0) {
                throw new BackupException("Expected a backup '" + id + "' in " + path
                        + ", but there is none. See: jitney backup list " + path);
            }
            if (bytes > Manifest.BYTES_MAX) {
                throw new BackupException(file + ": The manifest is damaged: Expected at most " + Manifest.BYTES_MAX
                        + " bytes, but got " + bytes + ".");
            }
            byte[] content;
            try (FileChannel in = FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
                ByteBuffer buffer = ByteBuffer.allocate((int) bytes);
                while (buffer.hasRemaining() && in.read(buffer) >= 0) {
                    // read on
                }
                content = buffer.array();
            }
            Manifest manifest = Manifest.parse(content);
            if (!manifest.id().equals(id)) {
                throw new BackupException("The manifest is damaged: Expected the backup of its file name, but got "
                        + manifest.id() + ".");
            }
            return manifest;
        } catch (IOException e) {
            throw new BackupException(file + ": Cannot read the manifest (" + e + ").", e);
        }
    }

    /** Writes the manifest of a backup whose files are on the disk. From now on, the backup exists. */
    void write(Manifest manifest) throws IOException {
        Path part = path.resolve(MANIFESTS).resolve(PART);
        Files.deleteIfExists(part);
        try (FileChannel out = OwnerOnly.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(manifest.encoded());
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(part, place(manifest.id()), StandardCopyOption.ATOMIC_MOVE);
        FileCommitLog.sync(path.resolve(MANIFESTS));
    }

    /** Returns whether there is a manifest of this id. */
    boolean has(String id) {
        return Files.exists(place(id), LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Deletes old backups and the files that no other backup has.
     *
     * @param keep the number of backups that stay, the newest ones, at least 1
     * @return the ids of the deleted backups
     * @throws BackupException if another process changes the directory, or the manifest of a backup that stays cannot be read; no backup
     *     is deleted then
     */
    public List<String> prune(int keep) throws BackupException {
        try (Hold hold = hold()) {
            return prune(hold, keep);
        } catch (IOException e) {
            throw new BackupException(path + ": Cannot delete backups (" + e + ").", e);
        }
    }

    List<String> prune(Hold hold, int keep) throws IOException, BackupException {
        if (keep < 1) {
            throw new IllegalArgumentException("Expected to keep at least one backup.");
        }
        List<String> ids = ids();
        List<String> deleted = ids.subList(0, Math.max(0, ids.size() - keep));
        for (String id : ids.subList(deleted.size(), ids.size())) {
            requireReadable(id);
        }
        for (String id : deleted) {
            Files.delete(place(id));
        }
        FileCommitLog.sync(path.resolve(MANIFESTS));
        deleteUnused(hold);
        return List.copyOf(deleted);
    }

    /** Checks a backup that stays before older ones are deleted, which may be the only ones that can be restored. */
    private void requireReadable(String id) throws BackupException {
        try {
            read(id);
        } catch (BackupException e) {
            throw new BackupException(
                    place(id) + ": " + e.getMessage()
                            + " Jitney deletes no backups while the manifest of a newer one cannot"
                            + " be read. Repair or delete it.",
                    e);
        }
    }

    /**
     * Deletes the files that no backup has.
     *
     * @throws BackupException if a manifest cannot be read, because its files are unknown; nothing is deleted then
     */
    void deleteUnused(Hold hold) throws IOException, BackupException {
        if (hold.channel.isOpen()) {
            Set<String> used = new HashSet<>();
            for (Entry entry : list()) {
                Manifest manifest = entry.manifest();
                if (manifest == null) {
                    throw new BackupException(place(entry.id()) + ": " + entry.trouble()
                            + " Jitney deletes no files while a manifest cannot be read. Repair or delete it.");
                }
                manifest.stores().forEach(store -> store.files().forEach(file -> used.add(file.sha256())));
            }
            files().deleteUnused(used);
        }
    }
}
