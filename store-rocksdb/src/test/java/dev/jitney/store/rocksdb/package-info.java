/** The RocksDB store against the contract, against kill -9, and on file systems that are full. */
@NullMarked
package dev.jitney.store.rocksdb;

import org.jspecify.annotations.NullMarked;
