/**
 * The AMQP gateway: sockets, TLS and the protocol on one side; commands to the broker on the other.
 *
 * <p>{@link dev.jitney.gateway.amqp.AmqpGateway} opens the listeners. Its packages, each of which depends only on those
 * below it:
 *
 * <ul>
 *   <li>{@link dev.jitney.gateway.amqp.listener} distinguishes the clients of a shared port by their first bytes;
 *   <li>{@link dev.jitney.gateway.amqp.connection} is one connection: bytes in, bytes out, and its timers;
 *   <li>{@link dev.jitney.gateway.amqp.link} accepts or refuses attaches, and contains the links over which clients
 *       send and receive;
 *   <li>{@link dev.jitney.gateway.amqp.node} answers requests to {@code $cbs} and {@code $management}, with the operations
 *       of {@link dev.jitney.gateway.amqp.management};
 *   <li>{@link dev.jitney.gateway.amqp.transaction} contains the transactions that a connection has declared;
 *   <li>{@link dev.jitney.gateway.amqp.delivery} contains deliveries in transit, their outcomes and limits;
 *   <li>{@link dev.jitney.gateway.amqp.access} contains the namespace of a connection and its credentials;
 *   <li>{@link dev.jitney.gateway.amqp.shared} contains limits, memory and the event loop, for all of the above;
 *   <li>{@link dev.jitney.gateway.amqp.wire} reads and writes frames, {@link dev.jitney.gateway.amqp.message} the texts of
 *       errors, and {@link dev.jitney.gateway.amqp.tunnel} is the channel of a WebSocket that another listener has accepted.
 * </ul>
 *
 * <p>Depends on {@code runtime}; only the server uses it.
 */
@NullMarked
package dev.jitney.gateway.amqp;

import org.jspecify.annotations.NullMarked;
