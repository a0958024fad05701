/**
 * Transactions that clients declare at the coordinator (AMQP 1.0 part 4, wire reference 8). Everything is called on the event
 * loop.
 *
 * <p>Read in this order: {@link dev.jitney.gateway.amqp.transaction.ControlMessage} (declare and discharge),
 * {@link dev.jitney.gateway.amqp.transaction.DeclaredTransactions},
 * {@link dev.jitney.gateway.amqp.transaction.PendingSettlements}.
 */
@NullMarked
package dev.jitney.gateway.amqp.transaction;

import org.jspecify.annotations.NullMarked;
