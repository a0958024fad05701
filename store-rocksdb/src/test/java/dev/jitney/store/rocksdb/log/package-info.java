/**
 * Tests of the log alone: recovery after damage at every position, after kills at every moment and after many
 * rotations of the files.
 */
@NullMarked
package dev.jitney.store.rocksdb.log;

import org.jspecify.annotations.NullMarked;
