/**
 * The entrance to the gateway for bytes that do not come from one of its own sockets: those of a WebSocket.
 *
 * <p>{@link dev.jitney.gateway.amqp.tunnel.TunnelEnd} is the interface between both sides.
 * {@link dev.jitney.gateway.amqp.tunnel.TunnelChannel} makes the far side look like a socket to the handlers in the
 * pipeline. Used by {@link dev.jitney.gateway.amqp.AmqpGateway} alone.
 */
@NullMarked
package dev.jitney.gateway.amqp.tunnel;

import org.jspecify.annotations.NullMarked;
