package dev.jitney.store.rocksdb.log;

import dev.jitney.runtime.store.LogPosition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The commits of a store's log for one reader in another thread, which copies them elsewhere: an archive. The latest commits are
 * in memory, older ones are read from the files of the log. The log does not overwrite commits that the reader still needs, up to
 * a number of bytes. Beyond it, the log {@linkplain #isGivenUp gives up}: clients come first.
 *
 * <p>It outlives the log: a store that is opened again continues with the same feed. Without {@link #hold}, it costs nothing.
 *
 * <p>The thread that commits calls the methods with package access, one reader calls {@link #read}, and any thread may call the others.
 */
public final class CommitFeed {
    /** The bytes that a commit in memory needs beside its content, about. */
    private static final int OVERHEAD = 64;

    private final Object lock = new Object();
    private final LogReader files = new LogReader();

    // Guarded by the lock: commits with consecutive numbers.
    private final Deque<byte[]> recent = new ArrayDeque<>();
    private long recentFirst;
    private long recentBytes;

    private volatile long recentBytesMax;
    private volatile @Nullable Thread reader;
    private volatile boolean kept;
    private volatile boolean givenUp;
    private volatile long heldAfter = Long.MAX_VALUE;
    private volatile long holdBytesMax;
    private volatile @Nullable Opened opened;
    private volatile long last;

    /** A log that is or was open. */
    private record Opened(Path directory, long log) {}

    // --- for the reader ---

    /**
     * Begins to pass commits to a reader.
     *
     * @param reader   the thread that reads, which is woken when much is waiting; null for none yet
     * @param bytesMax the maximum bytes of commits in memory
     */
    public void pass(@Nullable Thread reader, long bytesMax) {
        this.reader = reader;
        recentBytesMax = bytesMax;
    }

    /**
     * Keeps the commits after a number in the log, although they may be in table files already. This also keeps the log when the
     * store closes, so that the next one continues its numbers.
     *
     * @param after    the last commit that the reader has on the disk
     * @param bytesMax the maximum bytes of files that are kept for the reader alone
     */
    public void hold(long after, long bytesMax) {
        kept = true;
        holdBytesMax = bytesMax;
        heldAfter = after;
        givenUp = false;
    }

    /** Keeps the log when the store closes, and no commits for a reader. */
    public void keepLog() {
        kept = true;
    }

    /** Lets the log overwrite all commits that are in table files. The log is still kept when the store closes. */
    public void release() {
        heldAfter = Long.MAX_VALUE;
    }

    /** Returns whether the log has ended the last {@link #hold} itself, because it had reached its limit. */
    public boolean isGivenUp() {
        return givenUp;
    }

    /** Returns the last durable commit of the log, or null if no log was open yet. */
    public @Nullable LogPosition last() {
        Opened log = opened;
        return log == null ? null : new LogPosition(log.log(), last);
    }

    /** Returns the number of the last durable commit, or 0. */
    public long lastNumber() {
        return last;
    }

    /**
     * Returns the content of a commit. Numbers in ascending order are fast. Only the reader calls it.
     *
     * @param number at most {@link #lastNumber}
     * @return null if the log does not have the commit any more
     */
    public byte @Nullable [] read(long number) throws IOException {
        synchronized (lock) {
            while (!recent.isEmpty() && recentFirst < number) {
                poll();
            }
            if (!recent.isEmpty() && recentFirst == number) {
                return poll();
            }
        }
        Opened log = opened;
        return log == null ? null : files.read(log.directory(), log.log(), number);
    }

    private byte[] poll() {
        byte[] content = recent.remove();
        recentFirst++;
        recentBytes -= content.length + OVERHEAD;
        return content;
    }

    /** Closes the file that was read last, and drops the commits in memory. Only the reader calls it. */
    public void close() {
        files.close();
        recentBytesMax = 0;
        reader = null;
        synchronized (lock) {
            clear();
        }
    }

    private void clear() {
        recent.clear();
        recentBytes = 0;
    }

    // --- for the log ---

    void opened(Path directory, long log, long number) {
        synchronized (lock) {
            clear();
        }
        last = number;
        opened = new Opened(directory, log);
    }

    /** Passes on a commit that is on the disk. */
    void appended(long number, byte[] content) {
        long max = recentBytesMax;
        if (max > 0) {
            add(number, content, max);
        }
        last = number; // afterwards, so that the reader finds it in memory
    }

    /** Adds a commit unless there are too many. The reader finds those that are missing here in the files. */
    private void add(long number, byte[] content, long max) {
        boolean much;
        synchronized (lock) {
            long bytes = content.length + (long) OVERHEAD;
            if (recentBytes + bytes > max || !recent.isEmpty() && recentFirst + recent.size() != number) {
                return;
            }
            if (recent.isEmpty()) {
                recentFirst = number;
            }
            recent.add(content);
            much = recentBytes < max / 4 && recentBytes + bytes >= max / 4;
            recentBytes += bytes;
        }
        Thread waiting = reader;
        if (much && waiting != null) {
            LockSupport.unpark(waiting);
        }
    }

    /** Returns the number after which no commit may be overwritten; the largest number if all retired ones may be. */
    long heldAfter() {
        return heldAfter;
    }

    long holdBytesMax() {
        return holdBytesMax;
    }

    /** Ends the hold, because it has reached its limit. */
    void giveUp() {
        givenUp = true;
        heldAfter = Long.MAX_VALUE;
    }

    /** Returns whether the log stays when the store closes. */
    public boolean keepsLog() {
        return kept;
    }
}
