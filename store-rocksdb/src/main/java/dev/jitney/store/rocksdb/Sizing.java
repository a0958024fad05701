package dev.jitney.store.rocksdb;

import dev.jitney.store.rocksdb.space.DiskSpace;

/**
 * The sizes that a store uses: those of its {@link RocksDbOptions}, reduced where the file system is small.
 *
 * <p>The reserve must stay free so that all accepted data can be stored, and so that deletions free space: 1 GiB, or
 * a fifth of a file system below 5 GiB, which leaves four fifths to messages. When growth stops, several operations
 * still need space that the file system does not count yet, at the same time in the worst case:
 * <ul>
 *   <li>the flush of every memtable: {@code memtablesTotalBytes}, at most five sixteenths of the reserve;
 *   <li>a compaction of the youngest level, with these new files in it, and the next (four table files, a quarter),
 *   which writes its output before it removes its input. Half the reserve is for flush and compaction. If they need
 *   more, {@link DiskSpace} keeps that space free in addition;
 *   <li>log files of more commits during the flush, a little more than one memtable (a sixteenth);
 *   <li>the rest is for settlements, and for bytes written between two checks.
 * </ul>
 *
 * @param reserveBytes        free space below which growth is refused
 * @param memtableBytes       one memtable of the tables of messages and of bodies
 * @param smallMemtableBytes  one memtable of any other table
 * @param memtablesTotalBytes all memtables of the store together
 * @param logTotalBytes       log that is not in table files yet; a larger log causes a flush of all memtables. Bounds
 *                            the time to start after a crash
 * @param recentBytes         batches that are in the log but not in a memtable yet, in the Java heap
 * @param largeRecentBytes    the same while these batches have large rows, so that large messages are not written to table
 *                            files too while they wait for a moment
 * @param tableFileBytes      one table file
 * @param compactionBytes     input of one automatic compaction below the youngest level, and size of the first level
 */
record Sizing(
        long reserveBytes,
        long memtableBytes,
        long smallMemtableBytes,
        long memtablesTotalBytes,
        long logTotalBytes,
        long recentBytes,
        long largeRecentBytes,
        long tableFileBytes,
        long compactionBytes) {
    /** The number of young files of message ids that are compacted together. */
    static final int IDS_FILES = 8;

    private static final long MIB = 1L << 20;
    private static final long RESERVE_MAX = 1024 * MIB;
    private static final long SMALLEST_MEMTABLE = 256 << 10;
    private static final long SMALLEST_TABLE_FILE = 512 << 10;
    private static final long LARGEST_TABLE_FILE = 64 * MIB;

    /**
     * Returns the part of the reserve for flushes and compactions. When the next ones need more, the excess must be free
     * in addition to the reserve.
     */
    long compactionReserveBytes() {
        return reserveBytes / 2;
    }

    /** Returns the size of one memtable of the table of message ids. */
    long idsMemtableBytes() {
        return Math.max(SMALLEST_MEMTABLE, memtableBytes * 4 / IDS_FILES);
    }

    static Sizing of(RocksDbOptions options, long fileSystemBytes) {
        // A quarter on top of the messages' memtables is for the small tables.
        long wanted = options.memtableBytes() * options.memtableCount() / 4 * 5;
        long reserve = options.reserveBytes() > 0
                ? Math.min(options.reserveBytes(), fileSystemBytes / 2)
                // Larger memtables in the options need a larger disk; with both, the store uses them.
                : Math.min(fileSystemBytes / 5, Math.max(RESERVE_MAX, wanted / 5 * 16));
        long total = Math.max(4 * SMALLEST_MEMTABLE, Math.min(wanted, reserve / 16 * 5));
        long memtable =
                Math.max(SMALLEST_MEMTABLE, Math.min(options.memtableBytes(), total / 5 * 4 / options.memtableCount()));
        long tableFile = Math.max(SMALLEST_TABLE_FILE, Math.min(LARGEST_TABLE_FILE, reserve / 16));
        long heap = Runtime.getRuntime().maxMemory();
        long recent = Math.min(memtable / 4, heap / 32);
        return new Sizing(
                reserve,
                memtable,
                Math.max(SMALLEST_MEMTABLE, memtable / 8),
                total,
                Math.max(4 * MIB, memtable * 4),
                recent,
                Math.max(recent, Math.min(memtable * 2, heap / 32)),
                tableFile,
                4 * tableFile);
    }
}
