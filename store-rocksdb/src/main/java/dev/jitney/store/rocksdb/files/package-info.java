/** Files and directories that only their owner can read, where the file system supports owners. */
@NullMarked
package dev.jitney.store.rocksdb.files;

import org.jspecify.annotations.NullMarked;
