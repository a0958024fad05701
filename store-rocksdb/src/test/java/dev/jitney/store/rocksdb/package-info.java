/** The RocksDB store with the contract tests, after kill -9, and on full file systems. */
@NullMarked
package dev.jitney.store.rocksdb;

import org.jspecify.annotations.NullMarked;
