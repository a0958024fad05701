/**
 * Messages over HTTP (HTTP reference chapter 3): send, batch, receive, peek-lock, settle.
 *
 * <p>Read in this order: {@link dev.jitney.gateway.http.messaging.MessagingHandler}, which knows what is asked by the
 * end of the path; {@code SendHandler} with {@code BrokerProperties}, {@code PropertyHeaders} and {@code MessageBatch},
 * which make a message of a request; {@code ReceiveHandler} with {@code WaitingReceive} and {@code MessageAnswer},
 * which make an answer of a message; {@code LockHandler}.
 *
 * <p>A request becomes the AMQP encoding an SDK would send, and goes the way of its messages from there; so both worlds
 * have one set of rules.
 */
@NullMarked
package dev.jitney.gateway.http.messaging;

import org.jspecify.annotations.NullMarked;
