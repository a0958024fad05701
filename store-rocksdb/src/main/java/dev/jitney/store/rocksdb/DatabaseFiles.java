package dev.jitney.store.rocksdb;

import dev.jitney.store.rocksdb.files.OwnerOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The files of RocksDB, which makes them with mode 0644 less the umask and has no option for it. Nobody else gets at them
 * there, because their directory is its owner's alone from the first moment on; they are made the owner's alone soon after.
 * Thread-safe.
 */
final class DatabaseFiles {
    /** As coarse as the times of a file system may be. */
    private static final long TIME_STEP_NS = TimeUnit.SECONDS.toNanos(2);

    private final Path directory;
    private @Nullable FileTime seen;
    private long seenNs;

    DatabaseFiles(Path directory) {
        this.directory = directory;
    }

    /** Takes the rights of others away from files that were made since the last time; cheap when there are none. */
    synchronized void tighten() {
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
            // Away; whoever uses the store finds out.
        }
    }
}
