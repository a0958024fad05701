/**
 * Parts that stand below links, nodes and connections: first those that all connections of a gateway share, then those that
 * one connection shares with its links.
 *
 * <p>Read in this order: {@link dev.jitney.gateway.amqp.shared.GatewayContext} with its limits
 * ({@link dev.jitney.gateway.amqp.shared.ConnectionLimits}, {@link dev.jitney.gateway.amqp.shared.IdleRules}) and figures
 * ({@link dev.jitney.gateway.amqp.shared.AmqpFigures}), {@link dev.jitney.gateway.amqp.shared.Transport} (where the bytes of
 * a connection go), {@link dev.jitney.gateway.amqp.shared.ConnectionLoop} (its event loop),
 * {@link dev.jitney.gateway.amqp.shared.ConnectionMemory} (the memory it holds).
 */
@NullMarked
package dev.jitney.gateway.amqp.shared;

import org.jspecify.annotations.NullMarked;
