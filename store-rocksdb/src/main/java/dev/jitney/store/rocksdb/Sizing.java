package dev.jitney.store.rocksdb;

/**
 * The sizes a store works with: those of its {@link RocksDbOptions}, made smaller where the file system is small.
 *
 * <p>The reserve is what must stay free so that everything that was accepted can still be stored, and so that deleting
 * gives space back: 1 GiB, or a fifth of a file system below 5 GiB, which leaves four fifths to messages. When growth
 * stops, several things still need room that the file system does not count yet, at the same time in the worst case:
 * <ul>
 *   <li>the flush of every memtable: {@code memtablesTotalBytes}, at most five sixteenths of the reserve;
 *   <li>a compaction of the youngest level, with these new files in it, and the next (four table files, a quarter), which
 *       writes its output before it removes its input. Half the reserve is for flush and compaction; what they need beyond
 *       that when they come has to be free besides, as {@link DiskSpace} sees to;
 *   <li>log files of more commits while the flush goes on, a little more than one memtable (a sixteenth);
 *   <li>the rest is for settlements, and for what is written between two looks.
 * </ul>
 *
 * @param reserveBytes        free space below which growth is refused
 * @param memtableBytes       one memtable of the tables of messages and of bodies
 * @param smallMemtableBytes  one memtable of any other table
 * @param memtablesTotalBytes all memtables of the store together
 * @param logTotalBytes       log that is not in table files yet; when there is more, everything is flushed. Bounds the
 *                            time to start after a crash
 * @param recentBytes         batches that are in the log but not in a memtable yet, in the Java heap
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
        long tableFileBytes,
        long compactionBytes) {
    private static final long MIB = 1L << 20;
    private static final long RESERVE_MAX = 1024 * MIB;
    private static final long SMALLEST_MEMTABLE = 256 << 10;
    private static final long SMALLEST_TABLE_FILE = 512 << 10;
    private static final long LARGEST_TABLE_FILE = 64 * MIB;

    /**
     * The part of the reserve that is there for flushes and compactions. When the next ones need more, that has to be free
     * besides the reserve.
     */
    long compactionReserveBytes() {
        return reserveBytes / 2;
    }

    static Sizing of(RocksDbOptions options, long fileSystemBytes) {
        // A quarter on top of the messages' memtables is for the small tables.
        long wanted = options.memtableBytes() * options.memtableCount() / 4 * 5;
        long reserve = options.reserveBytes() > 0
                ? Math.min(options.reserveBytes(), fileSystemBytes / 2)
                // Somebody who asks for larger memtables and has the disk for them gets both.
                : Math.min(fileSystemBytes / 5, Math.max(RESERVE_MAX, wanted / 5 * 16));
        long total = Math.max(4 * SMALLEST_MEMTABLE, Math.min(wanted, reserve / 16 * 5));
        long memtable =
                Math.max(SMALLEST_MEMTABLE, Math.min(options.memtableBytes(), total / 5 * 4 / options.memtableCount()));
        long tableFile = Math.max(SMALLEST_TABLE_FILE, Math.min(LARGEST_TABLE_FILE, reserve / 16));
        return new Sizing(
                reserve,
                memtable,
                Math.max(SMALLEST_MEMTABLE, memtable / 8),
                total,
                Math.max(4 * MIB, memtable * 4),
                Math.min(memtable / 4, Runtime.getRuntime().maxMemory() / 32),
                tableFile,
                4 * tableFile);
    }
}
