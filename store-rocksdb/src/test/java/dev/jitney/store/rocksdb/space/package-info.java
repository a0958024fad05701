@NullMarked
package dev.jitney.store.rocksdb.space;

import org.jspecify.annotations.NullMarked;
