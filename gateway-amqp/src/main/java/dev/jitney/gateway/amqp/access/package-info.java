/**
 * The namespace of a connection, and what its client may do there. Everything is called on the event loop of the connection.
 *
 * <p>Read in this order: {@link dev.jitney.gateway.amqp.access.ConnectionAccess},
 * {@link dev.jitney.gateway.amqp.access.ConnectionNamespace} (how the namespace is found),
 * {@link dev.jitney.gateway.amqp.access.SaslNegotiation} and {@link dev.jitney.gateway.amqp.access.Authorization} (credentials
 * and what they permit), {@link dev.jitney.gateway.amqp.access.EntityRefusals} (texts of refusals).
 */
@NullMarked
package dev.jitney.gateway.amqp.access;

import org.jspecify.annotations.NullMarked;
