/**
 * Duplicate detection (semantics chapter 14): the ids an entity has taken, which of the messages sent to it repeat one, and
 * when ids are forgotten.
 *
 * <p>Read in this order: {@link dev.jitney.core.duplicate.DuplicatesView} (what is known),
 * {@link dev.jitney.core.duplicate.DuplicateCheck} (part of every decision that takes messages in),
 * {@link dev.jitney.core.duplicate.Forgetting} (what time does).
 *
 * <p>Depends on {@code dev.jitney.core} only; queues and topics use it, and so does whoever else decides that messages
 * enter an entity.
 */
@NullMarked
package dev.jitney.core.duplicate;

import org.jspecify.annotations.NullMarked;
