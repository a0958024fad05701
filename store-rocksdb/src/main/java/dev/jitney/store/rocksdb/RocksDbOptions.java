package dev.jitney.store.rocksdb;

/**
 * What can be set about a RocksDB messaging store. Sizes in bytes; on a small file system the store uses less than
 * what is asked for here, see {@link Sizing}.
 *
 * <p>Native memory of one store is bounded by {@code memtableBytes * memtableCount * 5 / 4 + blockCacheBytes} and a few
 * MiB: a quarter is added for the small tables.
 *
 * @param memtableBytes         size of one memtable of the tables of messages and of bodies
 * @param memtableCount         how many of them may exist, the one being written and those waiting for their flush;
 *                              when all are full, commits wait
 * @param blockCacheBytes       size of the cache of uncompressed blocks, with indexes and filters
 * @param backgroundJobs        threads for flushes and compactions
 * @param reserveBytes          free space below which no growth is accepted; 0 chooses min(1 GiB, a fifth of the file system),
 *                              see {@link Sizing}
 * @param spaceCheckIntervalMs  how long an answer about free space may be reused
 */
public record RocksDbOptions(
        long memtableBytes,
        int memtableCount,
        long blockCacheBytes,
        int backgroundJobs,
        long reserveBytes,
        long spaceCheckIntervalMs) {
    private static final long MIB = 1L << 20;

    /** What measured best for a store with a disk of its own; figures are in {@code docs/performance.md}. */
    public static final RocksDbOptions DEFAULTS = new RocksDbOptions(64 * MIB, 4, 64 * MIB, 2, 0, 100);

    public RocksDbOptions {
        requireRange("memtableBytes", memtableBytes, MIB, 1024 * MIB);
        requireRange("memtableCount", memtableCount, 2, 16);
        requireRange("blockCacheBytes", blockCacheBytes, MIB, 1L << 40);
        requireRange("backgroundJobs", backgroundJobs, 2, 64);
        requireRange("reserveBytes", reserveBytes, 0, Long.MAX_VALUE / 4);
        requireRange("spaceCheckIntervalMs", spaceCheckIntervalMs, 0, 10_000);
    }

    /** The same with other memtables. */
    public RocksDbOptions withMemtables(long bytes, int count) {
        return new RocksDbOptions(bytes, count, blockCacheBytes, backgroundJobs, reserveBytes, spaceCheckIntervalMs);
    }

    /** The same with another block cache. */
    public RocksDbOptions withBlockCacheBytes(long bytes) {
        return new RocksDbOptions(
                memtableBytes, memtableCount, bytes, backgroundJobs, reserveBytes, spaceCheckIntervalMs);
    }

    /** The same with another reserve of free space. */
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
