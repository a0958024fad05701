/** Tests of a shard with an in-memory store, driven by the tests. */
@NullMarked
package dev.jitney.runtime.shard;

import org.jspecify.annotations.NullMarked;
