/**
 * The port to the disk: {@link dev.jitney.runtime.store.MessagingStore}, what it holds ({@link
 * dev.jitney.runtime.store.Table}), and how it fails. What a turn writes is a {@link dev.jitney.runtime.store.RowBatch} in the
 * encoding of {@link dev.jitney.runtime.store.RowBatchFormat}, the same for every store; {@link
 * dev.jitney.runtime.store.RowBatchReader} reads it back. {@link dev.jitney.runtime.store.AppliedRows} lays the batch that is being filled
 * over the store, {@link dev.jitney.runtime.store.CommitLog} is the port for the log of a store.
 *
 * <p>Adapters (RocksDB; an in-memory one for tests) depend on this package and pass the same test suite.
 */
@NullMarked
package dev.jitney.runtime.store;

import org.jspecify.annotations.NullMarked;
