/**
 * Ports that serve more than one protocol: the first bytes of a connection tell which one its client speaks.
 *
 * <p>Read in this order: {@link dev.jitney.gateway.amqp.listener.SharedPort}, what such a port serves; {@link
 * dev.jitney.gateway.amqp.listener.FirstBytes}, which protocol the bytes mean; {@link
 * dev.jitney.gateway.amqp.listener.ProtocolDetector}, which reads them; {@link
 * dev.jitney.gateway.amqp.listener.UndecidedSockets}, how many connections may be undecided; {@link
 * dev.jitney.gateway.amqp.listener.HttpDoor}, where connections go that speak HTTP. Used by {@link
 * dev.jitney.gateway.amqp.AmqpGateway} alone.
 */
@NullMarked
package dev.jitney.gateway.amqp.listener;

import org.jspecify.annotations.NullMarked;
