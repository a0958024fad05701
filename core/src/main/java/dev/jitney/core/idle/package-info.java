/**
 * Temporary entities (semantics chapter 7): what counts as activity, and when an entity that has none is to go.
 *
 * <p>Read in this order: {@link dev.jitney.core.idle.Activity} (the tables IDLE-7 to IDLE-9),
 * {@link dev.jitney.core.idle.Downtimes} (what does not count as idleness).
 *
 * <p>Depends on {@code dev.jitney.core} and {@code dev.jitney.core.queue}; the shard asks it.
 */
@NullMarked
package dev.jitney.core.idle;

import org.jspecify.annotations.NullMarked;
