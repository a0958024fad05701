/**
 * The classes below links, nodes and connections: first the shared state of all connections of a gateway, then the
 * state that one connection shares with its links.
 *
 * <p>Read in this order: {@link dev.jitney.gateway.amqp.shared.GatewayContext} with its limits
 * ({@link dev.jitney.gateway.amqp.shared.ConnectionLimits}, {@link dev.jitney.gateway.amqp.shared.IdleRules}),
 * sockets ({@code OpenSockets}) and figures ({@link dev.jitney.gateway.amqp.shared.AmqpFigures}), {@link dev.jitney.gateway.amqp.shared.Transport} (the
 * output of a connection's bytes), {@link dev.jitney.gateway.amqp.shared.ConnectionLoop} (its event loop),
 * {@link dev.jitney.gateway.amqp.shared.ConnectionMemory} (the memory it holds).
 */
@NullMarked
package dev.jitney.gateway.amqp.shared;

import org.jspecify.annotations.NullMarked;
