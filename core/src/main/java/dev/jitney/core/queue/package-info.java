/**
 * One fragment of a queue as decisions see it: peek-lock, settlement, expiry, dead-lettering, deferral, scheduling. Here are
 * read-only views and values; nothing in this package changes anything.
 *
 * <p>Read in this order: {@link dev.jitney.core.queue.QueueView}, {@link dev.jitney.core.queue.LockView},
 * {@link dev.jitney.core.queue.QueuedMessageView}, {@link dev.jitney.core.queue.SessionsView}; then
 * {@code dev.jitney.core.queue.decide} (which decision answers which command; it sees this package and no state) and
 * {@code dev.jitney.core.queue.state} (what a record does to memory and rows, with mutators that only it can call).
 */
@NullMarked
package dev.jitney.core.queue;

import org.jspecify.annotations.NullMarked;
