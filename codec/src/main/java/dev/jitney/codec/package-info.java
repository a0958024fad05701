/**
 * Messages between their AMQP encoding and the model: what a sender encoded becomes
 * {@link dev.jitney.model.IncomingMessage}, what a receiver gets is written from {@link dev.jitney.model.MessageView}.
 *
 * <p>Read in this order: {@link dev.jitney.codec.IncomingMessageDecoder},
 * {@link dev.jitney.codec.OutgoingMessageEncoder}, then the tools both stand on: {@link dev.jitney.codec.AmqpReader},
 * {@link dev.jitney.codec.AmqpWriter}; for values as objects {@link dev.jitney.codec.ValueReader} and
 * {@link dev.jitney.codec.ValueWriter}, for those inside a stored message
 * {@link dev.jitney.codec.ContentReader}, and to change them {@link dev.jitney.codec.ContentRewriter}.
 *
 * <p>The senders' sections are never turned into objects: the reader walks over the encoded bytes, checks them, and
 * cuts them into parts. Nothing here knows a protocol engine, a socket, a clock or a random source; every module above
 * the model may depend on it (docs/adr/0007).
 */
@NullMarked
package dev.jitney.codec;

import org.jspecify.annotations.NullMarked;
