/**
 * Ports that serve more than one protocol: the first bytes of a connection identify the protocol of its client.
 *
 * <p>Read in this order: {@link dev.jitney.gateway.amqp.listener.SharedPort} (the protocols of such a port),
 * {@link dev.jitney.gateway.amqp.listener.FirstBytes} (the protocol that the bytes identify),
 * {@link dev.jitney.gateway.amqp.listener.ProtocolDetector} (reads these bytes),
 * {@link dev.jitney.gateway.amqp.listener.UndecidedSockets} (limits undecided connections),
 * {@link dev.jitney.gateway.amqp.listener.HttpDoor} (the destination of HTTP connections). Used by
 * {@link dev.jitney.gateway.amqp.AmqpGateway} alone.
 */
@NullMarked
package dev.jitney.gateway.amqp.listener;

import org.jspecify.annotations.NullMarked;
