/** Tests of the log alone: what is found again after damage at every place, kills at every moment and many turns of the files. */
@NullMarked
package dev.jitney.store.rocksdb.log;

import org.jspecify.annotations.NullMarked;
