/**
 * Messages over HTTP (HTTP reference chapter 3): send, batch, receive, peek-lock, settle.
 *
 * <p>Read first {@link dev.jitney.gateway.http.messaging.MessagingHandler}, which selects the operation by the end of
 * the path. {@code SendHandler} with {@code BrokerProperties}, {@code PropertyHeaders} and {@code MessageBatch}
 * converts a request to a message. {@code ReceiveHandler} with {@code WaitingReceive} and {@code MessageAnswer}
 * converts a message to a response. {@code LockHandler} settles locked messages.
 *
 * <p>A request becomes the AMQP encoding that an SDK would send, and is then processed like any AMQP message, so that
 * both protocols share one set of rules.
 */
@NullMarked
package dev.jitney.gateway.http.messaging;

import org.jspecify.annotations.NullMarked;
