/**
 * Duplicate detection (semantics chapter 14): the ids that an entity has accepted, the check of new messages, and the
 * deletion of ids.
 *
 * <p>Read in this order: {@link dev.jitney.core.duplicate.DuplicatesView} (the known ids),
 * {@link dev.jitney.core.duplicate.DuplicateCheck} (part of every decision that accepts messages), then the class that
 * deletes ids after the window.
 *
 * <p>Depends only on {@code dev.jitney.core}. Queues and topics use it, and other code that decides on messages that
 * enter an entity.
 */
@NullMarked
package dev.jitney.core.duplicate;

import org.jspecify.annotations.NullMarked;
