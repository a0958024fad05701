/**
 * One fragment of a queue: peek-lock, settlement, expiry, dead-lettering, deferral, scheduling.
 *
 * <p>Read in this order: {@link dev.jitney.core.queue.QueueView} (what decisions may look at),
 * {@link dev.jitney.core.queue.QueueDecider} (which decision answers which command),
 * {@link dev.jitney.core.queue.QueueApplier} (what a record does), {@link dev.jitney.core.queue.QueueState} and its
 * parts {@link dev.jitney.core.queue.MessageWindow}, {@link dev.jitney.core.queue.LockTable},
 * {@link dev.jitney.core.queue.Receivers}, {@link dev.jitney.core.queue.TimerWindow},
 * {@link dev.jitney.core.queue.ExpiryIndex}.
 *
 * <p>Memory is bounded whatever the backlog: windows hold the head of each sequence, the rest is paged from the store.
 */
@NullMarked
package dev.jitney.core.queue;

import org.jspecify.annotations.NullMarked;
