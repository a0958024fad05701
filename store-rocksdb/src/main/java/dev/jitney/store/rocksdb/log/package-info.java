/**
 * The log every commit of a store is written to before anything else: files that are written over again and again, one
 * synced write for a commit. It knows nothing of what a commit holds. See ADR 18.
 */
@NullMarked
package dev.jitney.store.rocksdb.log;

import org.jspecify.annotations.NullMarked;
