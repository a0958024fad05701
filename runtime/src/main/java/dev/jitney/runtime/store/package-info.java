/**
 * The port to the disk: {@link dev.jitney.runtime.store.MessagingStore}, its tables ({@link
 * dev.jitney.runtime.store.Table}), and its faults. The writes of a turn are a {@link
 * dev.jitney.runtime.store.RowBatch}. Every store uses the encoding of {@link dev.jitney.runtime.store.RowBatchFormat},
 * which {@link dev.jitney.runtime.store.RowBatchReader} reads. An {@link dev.jitney.runtime.store.AppliedRows} combines
 * the current batch with the store. The port for the log of a store is {@link dev.jitney.runtime.store.CommitLog}.
 *
 * <p>Adapters depend on this package and pass the same test suite: RocksDB, and one for tests. {@link
 * dev.jitney.runtime.store.MemoryMessagingStore} is a store for tests of applications, which loses its rows when it closes.
 */
@NullMarked
package dev.jitney.runtime.store;

import org.jspecify.annotations.NullMarked;
