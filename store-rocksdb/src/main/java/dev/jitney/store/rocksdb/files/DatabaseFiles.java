package dev.jitney.store.rocksdb.files;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The files of RocksDB, which creates them with mode 0644 minus the umask and has no option for it. Other users
 * cannot reach them there, because only the owner can enter their directory from the first moment on. Soon after, the
 * files themselves become owner-only. Thread-safe.
 */
public final class DatabaseFiles {
    /** The coarsest time resolution of a file system. */
    private static final long TIME_STEP_NS = TimeUnit.SECONDS.toNanos(2);

    /** The end of the names of table files. RocksDB never uses one of these names again. */
    private static final String TABLE_FILE = ".sst";

    private final Path directory;
    private @Nullable FileTime seen;
    private long seenNs;

    /** The names of the table files that are owner-only, because a store may have thousands of them. */
    private Set<String> tight = new HashSet<>();

    /** @param directory the directory of the database */
    public DatabaseFiles(Path directory) {
        this.directory = directory;
    }

    /**
     * Removes the permissions of other users from the directory and all files. For an opened database, because its table files may be
     * others than those of the same names before.
     */
    public synchronized void tightenAll() {
        tight.clear();
        OwnerOnly.tighten(directory);
    }

    /** Removes the permissions of other users from files created since the last call; cheap when there are none. */
    public synchronized void tighten() {
        try {
            FileTime changed = Files.getLastModifiedTime(directory);
            long nowNs = System.nanoTime();
            boolean other = !changed.equals(seen);
            if (other) {
                seen = changed;
                seenNs = nowNs;
            }
            if (other || nowNs - seenNs < TIME_STEP_NS) {
                tightenNew();
            }
        } catch (IOException e) {
            // The directory is missing; the next operation on the store reports that.
        }
    }

    private void tightenNew() {
        Set<String> found = new HashSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                if (tight.contains(name) || OwnerOnly.tighten(file) && name.endsWith(TABLE_FILE)) {
                    found.add(name);
                }
            }
            tight = found;
        } catch (IOException | DirectoryIteratorException e) {
            // The directory is missing; the next operation on the store reports that.
        }
    }
}
