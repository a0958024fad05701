/**
 * Bytes between the socket and the protonj2 engine. Performatives are written at full length with explicit nulls (wire
 * reference 0.3, rule 1). Incoming frames are checked for everything that the engine hides or would handle wrongly for
 * this broker.
 *
 * <p>Read {@link dev.jitney.gateway.amqp.wire.PerformativeWriter}, then
 * {@link dev.jitney.gateway.amqp.wire.FrameWriter}, then {@link dev.jitney.gateway.amqp.wire.InboundGuard}. Everything
 * here belongs to one connection and is called on its event loop. Only the {@code connection} package uses it.
 */
@NullMarked
package dev.jitney.gateway.amqp.wire;

import org.jspecify.annotations.NullMarked;
