/** Tests of forwarding. */
@NullMarked
package dev.jitney.runtime.shard.forward;

import org.jspecify.annotations.NullMarked;
