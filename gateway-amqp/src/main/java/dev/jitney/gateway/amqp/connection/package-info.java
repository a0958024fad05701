/**
 * One AMQP connection: bytes in, bytes out.
 *
 * <p>Read in this order: {@link dev.jitney.gateway.amqp.connection.AmqpConnectionHandler} (the only class that uses a
 * socket), {@code AmqpConnection} (the engine, its life cycle and its time), {@code SaslIntake}, {@code FrameIntake}. The links are in
 * {@link dev.jitney.gateway.amqp.link}, which does not depend on this package. Everything is called on the connection's
 * event loop.
 */
@NullMarked
package dev.jitney.gateway.amqp.connection;

import org.jspecify.annotations.NullMarked;
