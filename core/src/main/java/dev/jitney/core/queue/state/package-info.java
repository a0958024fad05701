/**
 * The state of a queue in memory and what records do to it.
 *
 * <p>Read in this order: {@link dev.jitney.core.queue.state.QueueApplier} (what a record does),
 * {@link dev.jitney.core.queue.state.QueueState} and its parts {@code MessageWindow}, {@code LockTable}, {@code Receivers},
 * {@code SessionTable}, {@code TimerWindow}, {@code ExpiryIndex}, {@code DuplicateHistory}.
 *
 * <p>Changes made by records are package-private, so that only the applier makes them. Two kinds of public methods change
 * something all the same, and both are for the shard, never for decisions, which see no class of this package: those that
 * move rows between the store and the windows ({@code fill}, {@code findOldest}, {@code fillTimers}, {@code trim}) change
 * what memory keeps, not what the queue holds; and those that begin and end a turn ({@code load}, {@code touch},
 * {@code row}, {@code committed}, {@code discard}).
 *
 * <p>Memory is bounded whatever the backlog: windows hold the head of each sequence, the rest is paged from the store.
 */
@NullMarked
package dev.jitney.core.queue.state;

import org.jspecify.annotations.NullMarked;
