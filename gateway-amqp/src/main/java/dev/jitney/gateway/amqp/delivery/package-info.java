/**
 * Deliveries of one connection in both directions, without the links that carry them. Everything is called on the event loop.
 *
 * <p>Read in this order: {@link dev.jitney.gateway.amqp.delivery.DeliveryLedger} and
 * {@link dev.jitney.gateway.amqp.delivery.UnsettledDeliveries} (unsettled deliveries),
 * {@link dev.jitney.gateway.amqp.delivery.ClientOutcome} and {@link dev.jitney.gateway.amqp.delivery.Outcomes} (outcomes
 * as commands),
 * {@link dev.jitney.gateway.amqp.delivery.PendingCompletions} (completes accepted deliveries together). Then read
 * {@link dev.jitney.gateway.amqp.delivery.DeliveryWindow} (limits the deliveries in transit to a receiver) and
 * {@link dev.jitney.gateway.amqp.delivery.PartialDelivery} (a message in several transfers).
 */
@NullMarked
package dev.jitney.gateway.amqp.delivery;

import org.jspecify.annotations.NullMarked;
