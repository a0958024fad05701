/**
 * One AMQP connection: bytes in, bytes out, and what its links ask of the broker.
 *
 * <p>Read in this order: {@link dev.jitney.gateway.amqp.connection.AmqpConnectionHandler} (the only class that knows a
 * socket), {@link dev.jitney.gateway.amqp.connection.AmqpConnection}, {@code LinkAcceptor} (every attach passes it),
 * {@code IncomingLink} (clients that send), {@code OutgoingLink} (clients that receive), {@code RequestLink} and
 * {@code ResponseLink} ($cbs and $management). Everything is called on the connection's event loop.
 */
@NullMarked
package dev.jitney.gateway.amqp.connection;

import org.jspecify.annotations.NullMarked;
