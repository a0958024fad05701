/**
 * The state of a queue in memory and the effects of records on it.
 *
 * <p>Read in this order: {@link dev.jitney.core.queue.state.QueueApplier} (the effects of each record),
 * {@link dev.jitney.core.queue.state.QueueState} and its parts {@code MessageWindow}, {@code LockTable},
 * {@code Receivers}, {@code SessionTable}, {@code TimerWindow}, {@code ExpiryIndex}, {@code DuplicateHistory}.
 *
 * <p>Changes by records are package-private, so that only the applier makes them. Two kinds of public methods also change
 * state. Both are for the shard and never for decisions, which have no access to the classes of this package. Methods of
 * the first kind ({@code fill}, {@code findOldest}, {@code fillTimers}, {@code trim}) move rows between the store and the
 * windows; they change the contents of memory, but not of the queue. Methods of the second kind begin and end a turn
 * ({@code load}, {@code touch}, {@code row}, {@code committed}, {@code discard}).
 *
 * <p>Memory is bounded for any backlog: windows hold the head of each sequence, and the rest is read from the store in
 * pages.
 */
@NullMarked
package dev.jitney.core.queue.state;

import org.jspecify.annotations.NullMarked;
