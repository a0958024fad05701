/**
 * Messages between the wire and the model: what a sender's transfer holds becomes
 * {@link dev.jitney.core.IncomingMessage}, what a receiver gets is written from {@link dev.jitney.model.MessageView}.
 *
 * <p>Read in this order: {@link dev.jitney.gateway.amqp.message.IncomingMessageDecoder},
 * {@link dev.jitney.gateway.amqp.message.OutgoingMessageEncoder}, then the tools both stand on:
 * {@link dev.jitney.gateway.amqp.message.AmqpReader}, {@link dev.jitney.gateway.amqp.message.AmqpWriter}.
 *
 * <p>The senders' sections are never turned into objects: the reader walks over the encoded bytes, checks them, and
 * cuts them into parts. Nothing here knows links or connections; the rest of the gateway may depend on it.
 */
@NullMarked
package dev.jitney.gateway.amqp.message;

import org.jspecify.annotations.NullMarked;
