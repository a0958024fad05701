/**
 * A way into the gateway for octets that do not come from a socket of its own: those of a WebSocket.
 *
 * <p>{@link dev.jitney.gateway.amqp.tunnel.TunnelEnd} is what both sides see of each other;
 * {@link dev.jitney.gateway.amqp.tunnel.TunnelChannel} makes the far one look like a socket to whatever stands in the
 * pipeline. Used by {@link dev.jitney.gateway.amqp.AmqpGateway} alone.
 */
@NullMarked
package dev.jitney.gateway.amqp.tunnel;

import org.jspecify.annotations.NullMarked;
