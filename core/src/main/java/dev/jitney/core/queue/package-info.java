/**
 * One fragment of a queue in the view of decisions: peek-lock, settlement, expiry, dead-lettering, deferral, scheduling.
 * This package has read-only views and values; nothing in it changes anything.
 *
 * <p>Read in this order: {@link dev.jitney.core.queue.QueueView}, {@link dev.jitney.core.queue.LockView},
 * {@link dev.jitney.core.queue.QueuedMessageView}, {@link dev.jitney.core.queue.SessionsView}; then
 * {@code dev.jitney.core.queue.decide} (the decision for each command; it uses this package and no state) and
 * {@code dev.jitney.core.queue.state} (the effects of each record on memory and rows, with mutators that only it can
 * call).
 */
@NullMarked
package dev.jitney.core.queue;

import org.jspecify.annotations.NullMarked;
