/**
 * Decisions of a queue: what a command or the time leads to, as records and a reply. Everything here reads views of
 * {@code dev.jitney.core.queue} and rows; nothing can write, because no state is visible here (the architecture tests hold
 * that).
 *
 * <p>Read in this order: {@link dev.jitney.core.queue.decide.QueueDecider} (which decision answers which command),
 * {@code SettlementDecisions} with {@code FailedDelivery}, {@code DeliveryDecisions}, {@code SessionDecisions},
 * {@code TimerDecisions}, {@link dev.jitney.core.queue.decide.Admission}.
 */
@NullMarked
package dev.jitney.core.queue.decide;

import org.jspecify.annotations.NullMarked;
