package dev.jitney.store.rocksdb;

/**
 * The sizes a store works with: those of its {@link RocksDbOptions}, made smaller where the file system is small.
 *
 * <p>The reserve is what must stay free so that everything that was accepted can still be stored, and so that deleting
 * gives space back. When growth stops, up to three things still need room that the file system does not count yet:
 * <ol>
 *   <li>the flush of every memtable, whose log files go away only after it: {@code memtablesTotalBytes}, at most half of
 *       the reserve;
 *   <li>one compaction, which writes its output before it removes its input: {@code compactionBytes}, at most a quarter;
 *   <li>the log of settlements, and what RocksDB allocates ahead for the current log file: the last quarter.
 * </ol>
 * 512 MiB hold the default memtables with ease; a fifth of a smaller file system leaves four fifths to messages.
 *
 * @param reserveBytes        free space below which growth is refused
 * @param memtableBytes       one memtable of the messages table
 * @param smallMemtableBytes  one memtable of any other table
 * @param memtablesTotalBytes all memtables of the store together
 * @param walTotalBytes       live log files together; when there are more, the tables that hold the oldest are flushed.
 *                            Bounds the time to start after a crash
 * @param tableFileBytes      one table file
 * @param compactionBytes     input of one automatic compaction
 */
record Sizing(
        long reserveBytes,
        long memtableBytes,
        long smallMemtableBytes,
        long memtablesTotalBytes,
        long walTotalBytes,
        long tableFileBytes,
        long compactionBytes) {
    private static final long MIB = 1L << 20;
    private static final long RESERVE_MAX = 512 * MIB;
    private static final long SMALLEST_MEMTABLE = 256 << 10;

    static Sizing of(RocksDbOptions options, long fileSystemBytes) {
        long reserve = options.reserveBytes() > 0
                ? Math.min(options.reserveBytes(), fileSystemBytes / 2)
                : Math.min(RESERVE_MAX, fileSystemBytes / 5);
        long total = options.memtableBytes() * options.memtableCount() / 4 * 5;
        // Somebody who asks for larger memtables on a large disk gets them; the reserve grows along.
        if (options.reserveBytes() == 0 && fileSystemBytes / 5 > RESERVE_MAX) {
            reserve = Math.min(fileSystemBytes / 5, Math.max(reserve, 3 * total / 2));
        }
        total = Math.min(total, Math.max(reserve * 5 / 8, 4 * SMALLEST_MEMTABLE));
        long memtable =
                Math.max(SMALLEST_MEMTABLE, Math.min(options.memtableBytes(), total / 5 * 4 / options.memtableCount()));
        long tableFile = Math.max(MIB, Math.min(64 * MIB, reserve / 8));
        return new Sizing(
                reserve,
                memtable,
                Math.max(SMALLEST_MEMTABLE, memtable / 8),
                total,
                Math.max(4 * MIB, memtable * 5 / 2 * options.memtableCountToMerge()),
                tableFile,
                Math.max(4 * tableFile, reserve / 4));
    }
}
