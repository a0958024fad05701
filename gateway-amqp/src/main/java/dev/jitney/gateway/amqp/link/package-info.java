/**
 * The links of one connection, and the decision on every attach. Everything is called on the event loop of the connection.
 *
 * <p>Read in this order: {@link dev.jitney.gateway.amqp.link.LinkContext} (the parts of a connection that links work with),
 * {@link dev.jitney.gateway.amqp.link.LinkAcceptor} (every attach passes it), {@code LinkInput} with {@code IncomingLink}
 * (clients that send), {@code LinkOutput} with {@code OutgoingLink}, {@code OutcomeHandler} and {@code SessionLink} (clients that receive),
 * {@code RequestLink} and {@code ResponseLink} ($cbs and $management), {@code CoordinatorLink} (transactions).
 */
@NullMarked
package dev.jitney.gateway.amqp.link;

import org.jspecify.annotations.NullMarked;
