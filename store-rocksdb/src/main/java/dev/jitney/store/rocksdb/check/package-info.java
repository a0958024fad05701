/**
 * A check of the files of a store without opening it. Read {@link dev.jitney.store.rocksdb.check.StoreFiles}. It uses the format of the
 * log in {@code dev.jitney.store.rocksdb.log}.
 */
@NullMarked
package dev.jitney.store.rocksdb.check;

import org.jspecify.annotations.NullMarked;
