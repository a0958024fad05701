/** Tests of a shard on a store in memory, driven by the tests. */
@NullMarked
package dev.jitney.runtime.shard;

import org.jspecify.annotations.NullMarked;
