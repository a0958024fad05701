@NullMarked
package dev.jitney.store.rocksdb.files;

import org.jspecify.annotations.NullMarked;
