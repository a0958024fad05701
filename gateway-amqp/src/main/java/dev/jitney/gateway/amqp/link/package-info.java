/**
 * The links of one connection, and the decision on every attach. Everything is called on the event loop of the connection.
 *
 * <p>Read in this order: {@link dev.jitney.gateway.amqp.link.LinkContext} (the parts of a connection that links use),
 * {@link dev.jitney.gateway.amqp.link.LinkAcceptor} (accepts or refuses every attach), {@code LinkInput} with
 * {@code IncomingLink} (clients that send), {@code LinkOutput} with {@code OutgoingLink}, {@code OutcomeHandler} and
 * {@code SessionLink} (clients that receive), {@code FairTurn} (which of them continues first). Then read {@code RequestLink} and {@code ResponseLink} ($cbs and
 * $management), and {@code CoordinatorLink} (transactions).
 */
@NullMarked
package dev.jitney.gateway.amqp.link;

import org.jspecify.annotations.NullMarked;
