/**
 * Conversion of messages between their AMQP encoding and the model: from a sender's encoding to
 * {@link dev.jitney.model.IncomingMessage}, and from {@link dev.jitney.model.MessageView} to the encoding for a receiver.
 *
 * <p>Read in this order: {@link dev.jitney.codec.IncomingMessageDecoder} and
 * {@link dev.jitney.codec.OutgoingMessageEncoder}, then the tools of both: {@link dev.jitney.codec.AmqpReader} and
 * {@link dev.jitney.codec.AmqpWriter}. For values as objects there are {@link dev.jitney.codec.ValueReader} and
 * {@link dev.jitney.codec.ValueWriter}, for values inside a stored message {@link dev.jitney.codec.ContentReader}, and
 * for changes of them {@link dev.jitney.codec.ContentRewriter}. {@link dev.jitney.codec.TypedValueWriter} encodes values whose types
 * are written next to them.
 *
 * <p>The senders' sections are never turned into objects: the reader walks over the encoded bytes, checks them, and
 * splits them into parts. This package uses no protocol engine, socket, clock or random source; every module above the
 * model may depend on it (docs/adr/0007).
 */
@NullMarked
package dev.jitney.codec;

import org.jspecify.annotations.NullMarked;
