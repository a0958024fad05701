/**
 * The messaging store on RocksDB. {@link dev.jitney.store.rocksdb.RocksDbMessagingStore} is the adapter,
 * {@link dev.jitney.store.rocksdb.RocksDbOptions} has its options, {@link dev.jitney.store.rocksdb.RocksDbLibrary}
 * loads the native code.
 *
 * <p>The internal types, in reading order: {@code GuardedStore} opens, reads, checks and closes a store in its
 * directory. It writes through a {@code WritePath}. That of a single node is {@code CommitPipeline}, which passes a batch through its states, into the log
 * (package {@code log}) and the {@code Tables} behind it. These consist of a {@code WriteBuffer} and the
 * {@code Database} with the native objects; {@code RocksDbRows} converts rows on their way from one to the other.
 * {@code PositionRow} is the row that records how far RocksDB is.
 * {@code DurabilityMarker} records how far data is durable. {@code StoreFormat} and {@code FormatTwoLog} open stores
 * of older versions. {@code DirectoryLock} excludes other processes. {@code DiskSpace} and {@code SpaceReclaimer}
 * handle a disk that is nearly full.
 *
 * <p>Only {@code server}, tests and benchmarks depend on it; all other modules use the port in
 * {@code dev.jitney.runtime.store}.
 */
@NullMarked
package dev.jitney.store.rocksdb;

import org.jspecify.annotations.NullMarked;
