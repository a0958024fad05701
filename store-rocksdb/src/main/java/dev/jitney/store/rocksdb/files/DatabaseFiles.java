package dev.jitney.store.rocksdb.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
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

    private final Path directory;
    private @Nullable FileTime seen;
    private long seenNs;

    /** @param directory the directory of the database */
    public DatabaseFiles(Path directory) {
        this.directory = directory;
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
                OwnerOnly.tighten(directory);
            }
        } catch (IOException e) {
            // The directory is missing; the next operation on the store reports that.
        }
    }
}
