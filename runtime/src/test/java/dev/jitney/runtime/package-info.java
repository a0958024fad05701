/** Tests of the broker on a store in memory, with the shards driven by the tests. */
@NullMarked
package dev.jitney.runtime;

import org.jspecify.annotations.NullMarked;
