/**
 * Deliveries of one connection in both directions, without the links that carry them. Everything is called on the event loop.
 *
 * <p>Read in this order: {@link dev.jitney.gateway.amqp.delivery.DeliveryLedger} (deliveries that the client has not settled)
 * with {@link dev.jitney.gateway.amqp.delivery.UnsettledDeliveries}, {@link dev.jitney.gateway.amqp.delivery.Outcomes} (from
 * an outcome to a command), {@link dev.jitney.gateway.amqp.delivery.PendingCompletions} (accepted deliveries are completed
 * together), {@link dev.jitney.gateway.amqp.delivery.DeliveryWindow} (how much a receiver may have on its way) and
 * {@link dev.jitney.gateway.amqp.delivery.PartialDelivery} (a message that comes in several transfers).
 */
@NullMarked
package dev.jitney.gateway.amqp.delivery;

import org.jspecify.annotations.NullMarked;
