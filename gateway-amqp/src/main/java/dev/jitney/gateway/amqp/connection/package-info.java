/**
 * One AMQP connection: bytes in, bytes out.
 *
 * <p>Read in this order: {@link dev.jitney.gateway.amqp.connection.AmqpConnectionHandler} (the only class that knows a
 * socket), {@code AmqpConnection} (the engine, its life and its time), {@code FrameIntake}. Its links are in
 * {@link dev.jitney.gateway.amqp.link}, which knows nothing of this package. Everything is called on the connection's event
 * loop.
 */
@NullMarked
package dev.jitney.gateway.amqp.connection;

import org.jspecify.annotations.NullMarked;
