/**
 * The {@linkplain dev.jitney.runtime.store.CommitLog commit log} of a store on one node: files that are written over again and
 * again, one synced write for a commit. It knows nothing of what a commit holds, and nothing of RocksDB. See ADR 18.
 *
 * <p>In reading order: {@code FileCommitLog} appends and retires, {@code LogFile} is one of its files, {@code LogRecord} how a
 * commit lies in it; {@code LogRecovery} finds out at an opening what is there, with {@code LogScan}, and gives it to a
 * {@code LogReplay}.
 */
@NullMarked
package dev.jitney.store.rocksdb.log;

import org.jspecify.annotations.NullMarked;
