/**
 * The messaging store on RocksDB. {@link dev.jitney.store.rocksdb.RocksDbMessagingStore} is the adapter,
 * {@link dev.jitney.store.rocksdb.RocksDbOptions} what can be set, {@link dev.jitney.store.rocksdb.RocksDbLibrary} loads
 * the native code. Inside: {@code Database} owns the native objects, {@code RocksDbBatch} encodes writes, {@code Commits}
 * brings them to the log in {@code log}, to {@code RecentRows} and to the database, {@code SyncedMark} notes how far it was,
 * {@code DirectoryLock} keeps others out, {@code DiskSpace} and {@code SpaceReclaimer} live with a disk that fills up.
 *
 * <p>Only {@code server}, tests and benchmarks depend on it; everything else uses the port in
 * {@code dev.jitney.runtime.store}.
 */
@NullMarked
package dev.jitney.store.rocksdb;

import org.jspecify.annotations.NullMarked;
