/**
 * The {@linkplain dev.jitney.runtime.store.CommitLog commit log} of a store on one node: files that are overwritten
 * in rotation, with one synced write per commit. It does not depend on the contents of commits, nor on RocksDB. See
 * ADR 18.
 *
 * <p>In reading order: {@code FileCommitLog} appends and retires. {@code LogFile} is one of its files.
 * {@code LogRecord} is the format of a commit in it. {@code LogRecovery} determines the contents of the files at an
 * opening, with {@code LogScan}, and passes them to a {@code LogReplay}. {@code CommitFile} is a copy of some of
 * the commits, for a backup. {@code CommitFeed} passes the commits on to an archive, with {@code LogReader} for those that are
 * not in memory any more.
 */
@NullMarked
package dev.jitney.store.rocksdb.log;

import org.jspecify.annotations.NullMarked;
