package dev.jitney.store.rocksdb.space;

import dev.jitney.runtime.store.Table;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.RocksDBException;

/** The table files of an open store. Any thread may use them until the store closes. */
public interface TableFiles {
    /** Writes all rows to table files. */
    void flush() throws RocksDBException;

    /**
     * Rewrites the files that overlap a range of keys, without deleted rows. Ends early when the options are
     * canceled.
     */
    void compact(Table table, byte[] from, byte[] to, CompactRangeOptions options) throws RocksDBException;
}
