package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The directory of an open store, watched: a disk may be unmounted, a directory renamed, removed or swapped, and open files
 * would not tell. What is written to them then is lost to everybody who looks for it where it should be.
 *
 * <p>Whoever has several stores puts a file {@value #IDENTITY} beside the database that says which of them it is; a store
 * opens again only where that file is as it was. For the thread that commits.
 */
final class StoreHome {
    static final String IDENTITY = "jitney.store";
    private static final String DATABASE = "db/CURRENT";

    private final Path directory;
    private final DirectoryLock lock;
    private final long intervalNs;
    private final byte @Nullable [] identity;
    private long checkedNs = System.nanoTime();

    private StoreHome(Path directory, DirectoryLock lock, long intervalNs, byte @Nullable [] identity) {
        this.directory = directory;
        this.lock = lock;
        this.intervalNs = intervalNs;
        this.identity = identity;
    }

    /** @param intervalMs how long an answer of {@link #check} may be reused */
    static StoreHome of(Path directory, DirectoryLock lock, long intervalMs) throws IOException {
        return new StoreHome(directory, lock, intervalMs * 1_000_000, identity(directory));
    }

    /**
     * Sees that the files of the store are still where they were, as of at most one interval ago.
     *
     * @return whether it has looked, and not reused an answer
     */
    boolean check() throws StoreException {
        long now = System.nanoTime();
        if (now - checkedNs >= intervalNs) {
            checkedNs = now;
            requireDatabase(directory, StoreException.Reason.IO);
            if (!lock.isSameFile()) {
                throw new StoreException(
                        StoreException.Reason.IO,
                        "Expected the directory of the messaging store in " + directory
                                + " to stay where it was, but another one has taken its place");
            }
            return true;
        }
        return false;
    }

    /** Whether the files of the store are where they were at this moment. */
    boolean isThere() {
        return Files.isRegularFile(directory.resolve(DATABASE)) && lock.isSameFile();
    }

    /**
     * Whether it is the same store as when it was opened first, to be asked before it is opened again; locks it again.
     *
     * @param open whether the database is open: then a copy of it will not do, because closing would write to the copy
     */
    void checkWholly(boolean open) throws StoreException {
        requireDatabase(directory, StoreException.Reason.IO);
        if (open && !lock.isSameFile()) {
            throw new StoreException(
                    StoreException.Reason.IO,
                    "Expected the very directory of the messaging store in " + directory
                            + ", but another one or a copy has taken its place. Bring it back, or restart the server to"
                            + " use this one");
        }
        try {
            byte[] now = identity(directory);
            // Without a name of its own only the very same files are the same store.
            if (Arrays.equals(identity, now) && (now != null || lock.isSameFile())) {
                lock.renew(directory);
                return;
            }
        } catch (IOException e) {
            throw new StoreException(
                    StoreException.Reason.IO, "Failed to look into the messaging store in " + directory + ": " + e, e);
        }
        throw new StoreException(
                StoreException.Reason.IO,
                "Expected the messaging store that was in " + directory
                        + " before, but it is another one now. Bring back"
                        + " the right directory; the store then opens again by itself");
    }

    /** @param reason what it means if there is no database */
    static void requireDatabase(Path directory, StoreException.Reason reason) throws StoreException {
        if (!Files.isRegularFile(directory.resolve(DATABASE))) {
            throw new StoreException(
                    reason,
                    "Expected a messaging store in " + directory
                            + ", but there is none. Mount its disk or bring back its" + " directory");
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
