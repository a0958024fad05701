/**
 * Temporary entities (semantics chapter 7): the definition of activity, and the end of the idle time.
 *
 * <p>Read in this order: {@link dev.jitney.core.idle.Activity} (the tables IDLE-7 to IDLE-9),
 * {@link dev.jitney.core.idle.Downtimes} (time that does not count as idle).
 *
 * <p>Depends on {@code dev.jitney.core} and {@code dev.jitney.core.queue}; the shard uses it.
 */
@NullMarked
package dev.jitney.core.idle;

import org.jspecify.annotations.NullMarked;
