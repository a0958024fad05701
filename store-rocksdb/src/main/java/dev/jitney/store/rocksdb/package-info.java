/**
 * The messaging store on RocksDB. {@link dev.jitney.store.rocksdb.RocksDbMessagingStore} is the adapter,
 * {@link dev.jitney.store.rocksdb.RocksDbOptions} has its options, {@link dev.jitney.store.rocksdb.RocksDbLibrary} loads
 * the native code. Inside, in reading order: {@code CommitPipeline} brings a batch through its states, into the log (package
 * {@code log}) and the {@code Tables} behind it, which are a {@code WriteBuffer} and the {@code Database} with the native objects;
 * {@code RocksDbRows} translates what leaves from one to the other. {@code DurabilityMarker} notes how far everything was durable,
 * {@code StoreFormat} and {@code FormatTwoLog} open stores of older versions, {@code DirectoryLock} keeps others out,
 * {@code DiskSpace} and {@code SpaceReclaimer} live with a disk that fills up.
 *
 * <p>Only {@code server}, tests and benchmarks depend on it; everything else uses the port in
 * {@code dev.jitney.runtime.store}.
 */
@NullMarked
package dev.jitney.store.rocksdb;

import org.jspecify.annotations.NullMarked;
