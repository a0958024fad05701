package dev.jitney.server.backup;

import dev.jitney.runtime.store.StoreException;
import java.io.IOException;

/**
 * The copy of one open store as of one moment, in a directory on its disk: {@link #cut} at the moment, and {@link #finish} afterwards.
 * Then the directory has {@code db} and {@code commits}, the files of a backup. For one thread, except {@link #cut}.
 */
interface StoreCopy extends AutoCloseable {
    /** Takes the moment, while no store commits. Runs in the thread of a shard. */
    void cut() throws StoreException;

    /** Completes the copy, while commits continue. */
    void finish() throws StoreException, IOException;

    /** Returns the number that identifies the log of the copy. */
    long log();

    /** Returns the number of the last commit of the copy in its log. */
    long lastCommit();

    @Override
    void close();
}
