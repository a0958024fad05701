/**
 * The namespace of a connection, and the permissions of its client. Everything is called on the event loop of the
 * connection.
 *
 * <p>Read in this order: {@link dev.jitney.gateway.amqp.access.ConnectionAccess},
 * {@link dev.jitney.gateway.amqp.access.ConnectionNamespace} (the choice of the namespace),
 * {@link dev.jitney.gateway.amqp.access.SaslNegotiation}, {@link dev.jitney.gateway.amqp.access.OAuthResponse} and {@link dev.jitney.gateway.amqp.access.Authorization}
 * (credentials and their permissions), {@link dev.jitney.gateway.amqp.access.EntityRefusals} (texts of refusals).
 */
@NullMarked
package dev.jitney.gateway.amqp.access;

import org.jspecify.annotations.NullMarked;
