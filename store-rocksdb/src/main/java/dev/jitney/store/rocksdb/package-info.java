/**
 * The messaging store on RocksDB. {@link dev.jitney.store.rocksdb.RocksDbMessagingStore} is the store of a single node,
 * {@link dev.jitney.store.rocksdb.RocksDbReplica} the copy of a store on one node of a cluster. {@link
 * dev.jitney.store.rocksdb.RocksDbOptions} has their options, {@link dev.jitney.store.rocksdb.RocksDbLibrary} loads the
 * native code.
 *
 * <p>The internal types, in reading order: {@code GuardedStore} opens, reads, checks and closes a store in its directory,
 * and passes batches to a {@code WritePath}. On a single node this is {@code CommitPipeline}: it passes a batch through its
 * states, into the log (package {@code log}) and the {@code Tables} behind it. {@code ReplicaPipeline} has the tables only.
 * These consist of a {@code WriteBuffer} and the {@code Database} with the native objects; {@code RocksDbRows} converts rows
 * on their way from one to the other. {@code PositionRow} records how far RocksDB is. {@code IncomingCheckpoint} and
 * {@code TablesSwap} replace the tables of a replica. {@link dev.jitney.store.rocksdb.StoreBackup} copies a store that is in use,
 * and {@link dev.jitney.store.rocksdb.StoreRestore} makes a store of the copy.
 * {@code DurabilityMarker} records how far data is durable. {@code StoreFormat} and {@code FormatTwoLog} open stores
 * of older versions. {@code DirectoryLock} excludes other processes. Package {@code space} handles a
 * disk that is nearly full.
 *
 * <p>Only {@code server}, tests and benchmarks depend on it; all other modules use the port in
 * {@code dev.jitney.runtime.store}.
 */
@NullMarked
package dev.jitney.store.rocksdb;

import org.jspecify.annotations.NullMarked;
