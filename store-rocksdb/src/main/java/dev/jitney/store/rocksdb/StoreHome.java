package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.StoreException;
import dev.jitney.store.rocksdb.files.DirectoryLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The directory of an open store, which is checked regularly: a disk may be unmounted, a directory renamed, removed
 * or replaced, and open files do not notice. Data written to them afterwards is missing from the expected path.
 *
 * <p>A program with several stores puts a file {@value #IDENTITY} beside each database to identify the store. A store
 * opens again only where that file is unchanged. Any thread may {@link #check} it.
 */
final class StoreHome {
    static final String IDENTITY = "jitney.store";
    private static final String DATABASE = "db/CURRENT";

    private final Path directory;
    private final DirectoryLock lock;
    private final long intervalNs;
    private final byte @Nullable [] identity;
    private volatile long checkedNs = System.nanoTime();

    private StoreHome(Path directory, DirectoryLock lock, long intervalNs, byte @Nullable [] identity) {
        this.directory = directory;
        this.lock = lock;
        this.intervalNs = intervalNs;
        this.identity = identity;
    }

    /** @param intervalMs how long a {@link #check} is recent enough */
    static StoreHome of(Path directory, DirectoryLock lock, long intervalMs) throws IOException {
        return new StoreHome(directory, lock, intervalMs * 1_000_000, identity(directory));
    }

    /** Returns whether the last {@link #check} is one interval old. */
    boolean isCheckDue() {
        return System.nanoTime() - checkedNs >= intervalNs;
    }

    /** Checks that the files of the store are still at their path. */
    void check() throws StoreException {
        checkedNs = System.nanoTime();
        requireDatabase(directory, StoreException.Reason.IO);
        if (!lock.isSameFile()) {
            throw new StoreException(
                    StoreException.Reason.IO,
                    "Expected the directory of the messaging store in " + directory
                            + " to stay in place, but it was replaced by another one");
        }
    }

    /** Returns whether the files of the store are at their path now. */
    boolean isThere() {
        return Files.isRegularFile(directory.resolve(DATABASE)) && lock.isSameFile();
    }

    /**
     * Checks that the directory contains the same store as at the first opening, and locks it again. Call this before
     * the store is opened again.
     *
     * @param open whether the database is open: then a copy of it is refused, because closing would write to the copy
     */
    void checkWholly(boolean open) throws StoreException {
        requireDatabase(directory, StoreException.Reason.IO);
        if (open && !lock.isSameFile()) {
            throw new StoreException(
                    StoreException.Reason.IO,
                    "Expected the original directory of the messaging store in " + directory
                            + ", but it was replaced by another one or a copy. Restore it, or restart the server to"
                            + " use this one");
        }
        try {
            byte[] now = identity(directory);
            // Without an identity file, only the very same files are the same store.
            if (Arrays.equals(identity, now) && (now != null || lock.isSameFile())) {
                lock.renew(directory);
                return;
            }
        } catch (IOException e) {
            throw new StoreException(
                    StoreException.Reason.IO, "Failed to read the messaging store in " + directory + ": " + e, e);
        }
        throw new StoreException(
                StoreException.Reason.IO,
                "Expected the messaging store that was in " + directory
                        + " before, but found another one. Restore"
                        + " the right directory; Jitney then opens the store automatically");
    }

    /** @param reason the reason of the exception if there is no database */
    static void requireDatabase(Path directory, StoreException.Reason reason) throws StoreException {
        if (!Files.isRegularFile(directory.resolve(DATABASE))) {
            throw new StoreException(
                    reason,
                    "Expected a messaging store in " + directory
                            + ", but there is none. Mount its disk or restore its directory");
        }
    }

    private static byte @Nullable [] identity(Path directory) throws IOException {
        try {
            return Files.readAllBytes(directory.resolve(IDENTITY));
        } catch (NoSuchFileException e) {
            return null;
        }
    }
}
