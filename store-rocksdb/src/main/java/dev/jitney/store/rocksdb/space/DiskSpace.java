package dev.jitney.store.rocksdb.space;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The free space of the file system, compared with the reserve. Each result is reused for a short interval, and until
 * a small share of the reserve has been {@linkplain #written written}, so that every batch can check it. Any thread
 * may call it.
 *
 * <p>Growth stops below the reserve and starts again once one and a quarter of it has been free in
 * {@value #LOOKS_TO_RESUME} consecutive checks. So a short flush or compaction does not make senders stop and start
 * repeatedly.
 */
public final class DiskSpace {
    /** One second at the usual interval of 100 ms. */
    static final int LOOKS_TO_RESUME = 10;

    /**
     * The divisor of the reserve after which a result is stale: on a small disk, senders can write half of the
     * reserve in a tenth of a second.
     */
    static final int WRITTEN_SHARE = 32;

    private final UsableSpace usableSpace;
    private final LongSupplier owedBytes;
    private final LongSupplier nanoClock;
    private final long reserveBytes;
    private final long resumeBytes;
    private final long intervalNs;

    private final AtomicLong written = new AtomicLong();
    private volatile long checkedNs;
    private volatile long checkedWritten;
    private volatile boolean room;
    private volatile long lastUsableBytes;
    private volatile long lastOwedBytes;
    private int goodLooks;

    /**
     * @param owedBytes returns the bytes that overdue compactions need in addition to the reserve; called at each
     *                  check
     */
    DiskSpace(
            UsableSpace usableSpace,
            LongSupplier owedBytes,
            LongSupplier nanoClock,
            long reserveBytes,
            long intervalMs) {
        this.usableSpace = usableSpace;
        this.owedBytes = owedBytes;
        this.nanoClock = nanoClock;
        this.reserveBytes = reserveBytes;
        this.resumeBytes = reserveBytes + reserveBytes / 4;
        this.intervalNs = intervalMs * 1_000_000;
        // A store that opens on a nearly full disk starts from its first check, as if there had been room before.
        room = true;
        look(nanoClock.getAsLong());
    }

    /**
     * Returns the free space of the file system of a directory.
     *
     * @param owedBytes    returns the bytes that overdue compactions need in addition to the reserve; called at each check
     * @param reserveBytes free bytes below which growth stops
     * @param intervalMs   how long a check may be reused, in milliseconds
     * @throws IOException if the system does not know the file system
     */
    public static DiskSpace of(Path directory, LongSupplier owedBytes, long reserveBytes, long intervalMs)
            throws IOException {
        FileStore fileStore = Files.getFileStore(directory);
        return new DiskSpace(fileStore::getUsableSpace, owedBytes, System::nanoTime, reserveBytes, intervalMs);
    }

    /** Returns whether there is room, as of at most one interval or one thirty-second of the reserve ago. */
    public boolean hasRoom() {
        long now = nanoClock.getAsLong();
        if (now - checkedNs >= intervalNs || room && written.get() - checkedWritten >= reserveBytes / WRITTEN_SHARE) {
            look(now);
        }
        return room;
    }

    /** Counts bytes that were written to the file system. */
    public void written(long bytes) {
        written.addAndGet(bytes);
    }

    /** Returns the free bytes of the file system at the last check. */
    public long lastUsableBytes() {
        return lastUsableBytes;
    }

    /** Returns the bytes that may be written until growth is refused, as of the last check; 0 while it is refused. */
    public long bytesUntilFull() {
        return room ? Math.max(0, lastUsableBytes - lastOwedBytes - reserveBytes) : 0;
    }

    /** Returns the free bytes now, or 0 if the file system does not report them. */
    public long usableBytes() {
        try {
            return usableSpace.bytes();
        } catch (IOException e) {
            return 0;
        }
    }

    private synchronized void look(long now) {
        // Senders may be faster than compaction for a while, and a later compaction rewrites more at once. The
        // reserve is sufficient for compactions that are on time; overdue ones need additional free space.
        long free = usableBytes();
        long owed = owedBytes.getAsLong();
        lastUsableBytes = free;
        lastOwedBytes = owed;
        long usable = free - owed;
        if (room) {
            room = usable >= reserveBytes;
            goodLooks = 0;
        } else {
            goodLooks = usable >= resumeBytes ? goodLooks + 1 : 0;
            room = goodLooks >= LOOKS_TO_RESUME;
        }
        checkedNs = now;
        checkedWritten = written.get();
    }

    /** The free bytes of a file system. */
    @FunctionalInterface
    interface UsableSpace {
        long bytes() throws IOException;
    }
}
