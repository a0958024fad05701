package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import dev.jitney.store.rocksdb.space.StalledWrites;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Status;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * One open RocksDB with its native objects, which are closed together, in the reverse order of their creation.
 *
 * <p>Not thread-safe: {@link GuardedStore} ensures that no thread uses it during or after {@link #close}.
 *
 * <p>Each {@link Table} is a column family named {@code table-} and its id; the default column family has one
 * {@link PositionRow}. All are flushed together. Writes here do not survive the process; {@link CommitPipeline} makes them
 * durable.
 */
final class Database implements AutoCloseable {
    private static final int TABLES = Table.values().length;

    /** The tables with nearly all bytes: messages sent to queues, and messages sent to topics. */
    private static final Set<Table> CONTENT_TABLES = EnumSet.of(Table.MESSAGES, Table.BODIES);

    private static final byte[] DEFAULT_FAMILY = RocksDB.DEFAULT_COLUMN_FAMILY;

    /** The maximum number of open table files, which bounds file descriptors and the memory of their readers. */
    private static final int OPEN_FILES_MAX = 256;

    /** The share of a memtable for its Bloom filter: more than ten bits for each id. */
    private static final double MEMTABLE_BLOOM_RATIO = 0.05;

    /**
     * The compression of all levels, so that a compaction can move a file to the next level without writing it again. The
     * files of a queue do not overlap, so a message that waits is written twice in all: to the log, and to one file.
     */
    private static final CompressionType COMPRESSION = CompressionType.LZ4_COMPRESSION;

    private final Deque<AutoCloseable> owned = new ArrayDeque<>();
    private final ColumnFamilyHandle[] families = new ColumnFamilyHandle[TABLES];
    private final List<ColumnFamilyHandle> allFamilies = new ArrayList<>();
    private final int[] familyIds;
    private final WriteOptions unlogged;
    private final ReadOptions reading;
    private final ReadOptions readingFlushed;
    private final RocksDB db;
    private final StalledWrites stalled;

    /**
     * Opens the database.
     *
     * @param make whether to create a database if there is none
     * @throws StoreException if that fails; nothing stays open then
     */
    Database(Path directory, RocksDbOptions options, Sizing sizing, boolean make) throws StoreException {
        RocksDB.loadLibrary();
        try {
            refuseUnknownTables(directory);
            Cache blockCache = own(new LRUCache(options.blockCacheBytes()));
            List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
            descriptors.add(new ColumnFamilyDescriptor(DEFAULT_FAMILY, smallTable(blockCache, sizing)));
            for (Table table : Table.values()) {
                descriptors.add(new ColumnFamilyDescriptor(
                        familyName(table),
                        switch (table) {
                            case MESSAGES, BODIES -> contentTable(blockCache, options, sizing);
                            case DUPLICATE_IDS -> idsTable(blockCache, sizing);
                            default -> smallTable(blockCache, sizing);
                        }));
            }
            DBOptions dbOptions = dbOptions(options, sizing, make);
            unlogged = own(new WriteOptions().setDisableWAL(true));
            reading = own(new ReadOptions());
            readingFlushed = own(new ReadOptions().setReadTier(ReadTier.PERSISTED_TIER));
            db = own(RocksDB.open(dbOptions, directory.toString(), descriptors, allFamilies));
            allFamilies.forEach(this::own);
            stalled = own(new StalledWrites(db));
            for (Table table : Table.values()) {
                families[table.ordinal()] = allFamilies.get(1 + table.ordinal());
            }
            familyIds =
                    Arrays.stream(families).mapToInt(ColumnFamilyHandle::getID).toArray();
        } catch (RocksDBException e) {
            close();
            throw Faults.of("to open the messaging store in " + directory, e);
        } catch (StoreException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /**
     * Returns RocksDB's numbers of the column families, by ordinal of the table; constant while the database exists.
     */
    int[] familyIds() {
        return familyIds.clone();
    }

    /**
     * Writes a batch to the memtables. RocksDB writes full memtables to disk, and the call waits while too many are full. It fails if
     * the disk is full then; after that, the database must be closed.
     */
    void write(byte[] encodedBatch) throws RocksDBException {
        stalled.begin();
        try (WriteBatch batch = new WriteBatch(encodedBatch)) {
            db.write(unlogged, batch);
        } catch (RocksDBException e) {
            throw stalled.hasEnded()
                    ? new RocksDBException("No space left on device: the memtables are full and cannot be written")
                    : e;
        } finally {
            stalled.end();
        }
    }

    /** Returns a row of the default column family. */
    byte @Nullable [] get(byte[] key) throws RocksDBException {
        return db.get(reading, key);
    }

    /** Deletes a row of the default column family, in the table files when this returns. */
    void deleteFlushed(byte[] key) throws RocksDBException {
        db.delete(unlogged, key);
        flush();
    }

    /** Returns a row of the default column family as it is in table files. */
    byte @Nullable [] getFlushed(byte[] key) throws RocksDBException {
        return db.get(readingFlushed, key);
    }

    byte @Nullable [] get(Table table, byte[] key) throws RocksDBException {
        return db.get(families[table.ordinal()], reading, key);
    }

    /** Returns an iterator over a table, which must be closed before the database. */
    RocksIterator iterator(Table table, ReadOptions options) {
        return db.newIterator(families[table.ordinal()], options);
    }

    /** Returns the bytes of the live table files; replaced files that compactions have not deleted yet come on top. */
    long tableFileBytes() throws RocksDBException {
        long bytes = 0;
        for (ColumnFamilyHandle family : families) {
            bytes += db.getLongProperty(family, "rocksdb.live-sst-files-size");
        }
        return bytes;
    }

    /** Returns the number of flushes and compactions that have failed since the database was opened. */
    long backgroundErrors() throws RocksDBException {
        return db.getLongProperty("rocksdb.background-errors");
    }

    /**
     * Returns the free bytes needed, in the worst case, to flush the memtables of messages and bodies and then to
     * compact the whole youngest level with the level below, which writes its output before it removes its input.
     * RocksDB's own estimate ignores memtables and a youngest level that is not due yet, and adds up compactions that
     * run one after the other.
     */
    long neededToCompact() throws RocksDBException {
        long bytes = 0;
        for (Table table : CONTENT_TABLES) {
            ColumnFamilyHandle family = families[table.ordinal()];
            LevelSizes levels = LevelSizes.parse(db.getProperty(family, "rocksdb.levelstats"));
            int base = (int) db.getLongProperty(family, "rocksdb.base-level");
            bytes += 2 * db.getLongProperty(family, "rocksdb.cur-size-all-mem-tables")
                    + levels.bytes(0)
                    + levels.bytes(base);
        }
        return bytes;
    }

    /** Writes every memtable to table files. */
    void flush() throws RocksDBException {
        flush(true);
    }

    /**
     * Begins to write every memtable to table files, as if they were full.
     *
     * @return false if RocksDB has so many full memtables that it begins no other flush and stops writes until it has written one of
     *         them; call it again later
     */
    boolean beginFlush() throws RocksDBException {
        try {
            flush(false);
            return true;
        } catch (RocksDBException e) {
            Status status = e.getStatus();
            if (status != null && status.getCode() == Status.Code.TryAgain) {
                return false;
            }
            throw e;
        }
    }

    private void flush(boolean wait) throws RocksDBException {
        try (FlushOptions options = new FlushOptions().setWaitForFlush(wait).setAllowWriteStall(true)) {
            db.flush(options, allFamilies);
        }
    }

    /**
     * Writes every memtable to table files, and links all table files into a new directory. The copy contains everything
     * that was written before, and may contain later writes.
     */
    void checkpoint(Path directory) throws RocksDBException {
        try (Checkpoint checkpoint = Checkpoint.create(db)) {
            checkpoint.createCheckpoint(directory.toString());
        }
    }

    /**
     * Rewrites the files that overlap a range of keys, without deleted rows. Ends early when the options are
     * canceled.
     */
    void compact(Table table, byte[] from, byte[] to, CompactRangeOptions options) throws RocksDBException {
        db.compactRange(families[table.ordinal()], from, to, options);
    }

    @Override
    public void close() {
        while (!owned.isEmpty()) {
            try {
                owned.pop().close();
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException("Failed to close a native object", e);
            }
        }
    }

    private <T extends AutoCloseable> T own(T object) {
        owned.push(object);
        return object;
    }

    /** Refuses column families of a newer version, because RocksDB must open all column families. */
    static void refuseUnknownTables(Path directory) throws StoreException, RocksDBException {
        if (!Files.exists(directory.resolve("CURRENT"))) {
            return;
        }
        try (Options options = new Options()) {
            for (byte[] name : RocksDB.listColumnFamilies(options, directory.toString())) {
                boolean known = Arrays.equals(name, DEFAULT_FAMILY);
                for (Table table : Table.values()) {
                    known |= Arrays.equals(name, familyName(table));
                }
                if (!known) {
                    throw new StoreException(
                            StoreException.Reason.CORRUPT,
                            "Expected only tables known to this version in " + directory + ", but found "
                                    + new String(name, StandardCharsets.UTF_8)
                                    + ". A newer version wrote it; start that version.");
                }
            }
        }
    }

    static byte[] familyName(Table table) {
        return ("table-" + table.id()).getBytes(StandardCharsets.US_ASCII);
    }

    /*
     * RocksDB's own log has data only in a store of format version 1, where every commit was synced to it. An
     * incomplete record at its end was never acknowledged. The modes kPointInTimeRecovery and
     * kSkipAnyCorruptedRecords would also open silently without other damaged records.
     */
    private DBOptions dbOptions(RocksDbOptions options, Sizing sizing, boolean make) {
        return own(new DBOptions()
                .setCreateIfMissing(make)
                .setCreateMissingColumnFamilies(true)
                .setParanoidChecks(true)
                .setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
                .setAvoidFlushDuringRecovery(false)
                .setMaxBackgroundJobs(options.backgroundJobs())
                .setDbWriteBufferSize(sizing.memtablesTotalBytes())
                .setAtomicFlush(true)
                // Unflushed data is in the log; closing a store whose disk has failed must not try to flush.
                .setAvoidFlushDuringShutdown(true)
                .setMaxOpenFiles(OPEN_FILES_MAX)
                // There is one committer: concurrent inserts or a pipeline bring no gain, and insert hints need the
                // plain path.
                .setAllowConcurrentMemtableWrite(false)
                .setEnablePipelinedWrite(false)
                .setAvoidUnnecessaryBlockingIO(true)
                .setBytesPerSync(1 << 20)
                .setSkipStatsUpdateOnDbOpen(true)
                .setStatsDumpPeriodSec(0)
                .setStatsPersistPeriodSec(0)
                .setMaxManifestFileSize(16 << 20)
                .setManifestPreallocationSize(64 << 10)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setMaxLogFileSize(4 << 20)
                .setKeepLogFileNum(2));
    }

    private ColumnFamilyOptions contentTable(Cache blockCache, RocksDbOptions options, Sizing sizing) {
        // Two options that have no setter in Java, in RocksDB's text form:
        Properties textual = new Properties();
        // The keys of a fragment are inserted in ascending order, so the position of the last insert is a good hint
        // for the next.
        textual.setProperty("memtable_insert_with_hint_prefix_extractor", "fixed:4");
        // Marks a table file for compaction when nearly all of it is tombstones, so that scans do not have to skip
        // them at the head of a drained queue. The threshold is not lower: a queue with a steady backlog writes files
        // that are half tombstones, and compacting each of them immediately costs a microsecond per message.
        textual.setProperty(
                "table_properties_collectors",
                "{id=CompactOnDeletionCollector;window_size=131072;deletion_trigger=118000;deletion_ratio=0.9}");
        ColumnFamilyOptions made = ColumnFamilyOptions.getColumnFamilyOptionsFromProps(textual);
        if (made == null) {
            throw new IllegalStateException("Expected RocksDB to support the options " + textual + ", but it does not");
        }
        return own(made)
                .setWriteBufferSize(sizing.memtableBytes())
                .setMaxWriteBufferNumber(options.memtableCount())
                .setTableFormatConfig(blocks(blockCache))
                // Bodies are read by existing keys, so a filter in the last level would never exclude one.
                .setOptimizeFiltersForHits(true)
                .setCompressionType(COMPRESSION)
                .setTargetFileSizeBase(sizing.tableFileBytes())
                .setMaxBytesForLevelBase(sizing.compactionBytes())
                .setMaxCompactionBytes(sizing.compactionBytes());
    }

    private ColumnFamilyOptions smallTable(Cache blockCache, Sizing sizing) {
        return own(new ColumnFamilyOptions())
                .setWriteBufferSize(sizing.smallMemtableBytes())
                .setMaxWriteBufferNumber(3)
                .setTableFormatConfig(blocks(blockCache))
                .setCompressionType(COMPRESSION)
                .setTargetFileSizeBase(sizing.tableFileBytes())
                .setMaxBytesForLevelBase(sizing.compactionBytes())
                .setMaxCompactionBytes(sizing.compactionBytes());
    }

    /**
     * Returns options for lookups of keys that mostly do not exist. Bloom filters on memtables make a lookup a third
     * cheaper. Pinning the filters of the youngest files, which every lookup reads, saves another sixth.
     *
     * <p>Ids are random, so a compaction of the youngest files rewrites all of the next level, of 256 MiB. More files, and
     * larger ones, need fewer of these compactions, and take no more space than four files of the largest table.
     */
    private ColumnFamilyOptions idsTable(Cache blockCache, Sizing sizing) {
        return smallTable(blockCache, sizing)
                .setWriteBufferSize(sizing.idsMemtableBytes())
                .setLevel0FileNumCompactionTrigger(Sizing.IDS_FILES)
                .setMemtableWholeKeyFiltering(true)
                .setMemtablePrefixBloomSizeRatio(MEMTABLE_BLOOM_RATIO)
                .setTableFormatConfig(blocks(blockCache).setPinL0FilterAndIndexBlocksInCache(true));
    }

    /**
     * Returns options that keep indexes and filters in the block cache, in partitions, so that a deep backlog needs
     * no additional memory.
     */
    private BlockBasedTableConfig blocks(Cache blockCache) {
        return new BlockBasedTableConfig()
                .setBlockSize(16 << 10)
                .setBlockCache(blockCache)
                .setCacheIndexAndFilterBlocks(true)
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setIndexType(IndexType.kTwoLevelIndexSearch)
                .setPartitionFilters(true)
                .setFilterPolicy(own(new BloomFilter(10)))
                .setFormatVersion(5);
    }
}
