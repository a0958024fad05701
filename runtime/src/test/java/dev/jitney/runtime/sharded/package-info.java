/** A broker on in-memory stores whose shards are driven by the tests. */
@NullMarked
package dev.jitney.runtime.sharded;

import org.jspecify.annotations.NullMarked;
