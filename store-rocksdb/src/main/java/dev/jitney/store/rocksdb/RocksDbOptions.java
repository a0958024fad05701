package dev.jitney.store.rocksdb;

/**
 * The options of a RocksDB messaging store. Sizes are in bytes; on a small file system the store uses less than these
 * options say, see {@link Sizing}.
 *
 * <p>The native memory of one store is bounded by {@code memtableBytes * memtableCount * 5 / 4 + blockCacheBytes} and
 * a few MiB: the additional quarter is for the small tables.
 *
 * @param memtableBytes        size of one memtable of the tables of messages and of bodies
 * @param memtableCount        maximum number of these memtables, including the one being written and those waiting
 *                             for their flush; when all are full, commits wait
 * @param blockCacheBytes      size of the cache of uncompressed blocks, with indexes and filters
 * @param backgroundJobs       threads for flushes and compactions
 * @param reserveBytes         free space below which no growth is accepted; 0 selects min(1 GiB, a fifth of the file
 *                             system), see {@link Sizing}
 * @param spaceCheckIntervalMs how long a check of the free space may be reused, in milliseconds
 */
public record RocksDbOptions(
        long memtableBytes,
        int memtableCount,
        long blockCacheBytes,
        int backgroundJobs,
        long reserveBytes,
        long spaceCheckIntervalMs) {
    private static final long MIB = 1L << 20;

    /** The best measured options for a store with its own disk; {@code docs/performance.md} has the figures. */
    public static final RocksDbOptions DEFAULTS = new RocksDbOptions(64 * MIB, 4, 64 * MIB, 2, 0, 100);

    public RocksDbOptions {
        requireRange("memtableBytes", memtableBytes, MIB, 1024 * MIB);
        requireRange("memtableCount", memtableCount, 2, 16);
        requireRange("blockCacheBytes", blockCacheBytes, MIB, 1L << 40);
        requireRange("backgroundJobs", backgroundJobs, 2, 64);
        requireRange("reserveBytes", reserveBytes, 0, Long.MAX_VALUE / 4);
        requireRange("spaceCheckIntervalMs", spaceCheckIntervalMs, 0, 10_000);
    }

    /** Returns a copy with other memtables. */
    public RocksDbOptions withMemtables(long bytes, int count) {
        return new RocksDbOptions(bytes, count, blockCacheBytes, backgroundJobs, reserveBytes, spaceCheckIntervalMs);
    }

    /** Returns a copy with another size of the block cache. */
    public RocksDbOptions withBlockCacheBytes(long bytes) {
        return new RocksDbOptions(
                memtableBytes, memtableCount, bytes, backgroundJobs, reserveBytes, spaceCheckIntervalMs);
    }

    /** Returns a copy with another reserve of free space. */
    public RocksDbOptions withReserveBytes(long bytes) {
        return new RocksDbOptions(
                memtableBytes, memtableCount, blockCacheBytes, backgroundJobs, bytes, spaceCheckIntervalMs);
    }

    private static void requireRange(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    "Expected " + name + " from " + min + " to " + max + ", but got " + value);
        }
    }
}
