/**
 * The decisions of a queue: the effects of a command or of time, as records and a reply. The code here reads views of
 * {@code dev.jitney.core.queue} and rows. It cannot write, because it has no access to the state, which the architecture
 * tests check.
 *
 * <p>Read in this order: {@link dev.jitney.core.queue.decide.QueueDecider} (the decision for each command),
 * {@code SettlementDecisions} with {@code SettlementSize} and {@code FailedDelivery}, {@code DeliveryDecisions},
 * {@code SessionDecisions}, {@code TimerDecisions}, {@link dev.jitney.core.queue.decide.Admission}.
 */
@NullMarked
package dev.jitney.core.queue.decide;

import org.jspecify.annotations.NullMarked;
