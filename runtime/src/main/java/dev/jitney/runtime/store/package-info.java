/**
 * The port to the disk: {@link dev.jitney.runtime.store.MessagingStore}, what may be put into it, and how it fails.
 *
 * <p>Adapters (RocksDB; an in-memory one for tests) depend on this package and pass the same test suite.
 */
@NullMarked
package dev.jitney.runtime.store;

import org.jspecify.annotations.NullMarked;
