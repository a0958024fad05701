package dev.jitney.store.rocksdb;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Whether the file system has room for more messages. An answer is reused for a short while, and for a small share of the
 * reserve that is {@linkplain #written written} meanwhile, so that it may be asked for with every batch; any thread may ask.
 *
 * <p>Growth stops below the reserve and starts again once one and a quarter of it has been free for {@value #LOOKS_TO_RESUME}
 * looks in a row: so that a flush or a compaction that comes and goes does not make senders start and stop.
 */
final class DiskSpace {
    /** With the usual interval of 100 ms, a second. */
    static final int LOOKS_TO_RESUME = 10;

    /** An answer is good for so small a part of the reserve: on a small disk, a tenth of a second of sending is half of it. */
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

    /** @param owedBytes what compactions that are behind need besides the reserve; asked for with each look */
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
        // A store that opens on a nearly full disk starts with its first look, without a memory of better days.
        room = true;
        look(nanoClock.getAsLong());
    }

    static DiskSpace of(Path directory, LongSupplier owedBytes, long reserveBytes, long intervalMs) throws IOException {
        FileStore fileStore = Files.getFileStore(directory);
        return new DiskSpace(fileStore::getUsableSpace, owedBytes, System::nanoTime, reserveBytes, intervalMs);
    }

    /** Whether there is room, as of at most one interval ago, and a thirty-second part of the reserve. */
    boolean hasRoom() {
        long now = nanoClock.getAsLong();
        if (now - checkedNs >= intervalNs || room && written.get() - checkedWritten >= reserveBytes / WRITTEN_SHARE) {
            look(now);
        }
        return room;
    }

    /** Notes that so many bytes were written to the file system. */
    void written(long bytes) {
        written.addAndGet(bytes);
    }

    /** Free bytes of the file system at the last look. */
    long lastUsableBytes() {
        return lastUsableBytes;
    }

    /** Bytes that may be written until growth is refused, as of the last look; 0 while it is. */
    long bytesUntilFull() {
        return room ? Math.max(0, lastUsableBytes - lastOwedBytes - reserveBytes) : 0;
    }

    /** Free bytes now, or 0 if the file system does not tell. */
    long usableBytes() {
        try {
            return usableSpace.bytes();
        } catch (IOException e) {
            return 0;
        }
    }

    private synchronized void look(long now) {
        // Senders may be faster than compaction for a while, and the later it comes the more it rewrites at once. The
        // reserve is made for compactions that are on time; what others need is kept free on top.
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

    /** Free bytes of a file system. */
    @FunctionalInterface
    interface UsableSpace {
        long bytes() throws IOException;
    }
}
