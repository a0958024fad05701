/**
 * The AMQP gateway: sockets, TLS and the protocol, on one side; commands to the broker on the other.
 *
 * <p>{@link dev.jitney.gateway.amqp.AmqpGateway} opens the listeners. What happens on a connection is in
 * {@code dev.jitney.gateway.amqp.connection}, how frames are written in {@code dev.jitney.gateway.amqp.wire}, messages in
 * {@code dev.jitney.gateway.amqp.message}, management operations in {@code dev.jitney.gateway.amqp.management},
 * how clients of shared ports are told apart in {@code dev.jitney.gateway.amqp.listener}, and how octets come in that another listener has accepted in {@code dev.jitney.gateway.amqp.tunnel}. Depends on {@code
 * runtime}; only the server uses it.
 */
@NullMarked
package dev.jitney.gateway.amqp;

import org.jspecify.annotations.NullMarked;
