/** Files and directories that nobody but their owner can read, where the file system knows owners. */
@NullMarked
package dev.jitney.store.rocksdb.files;

import org.jspecify.annotations.NullMarked;
