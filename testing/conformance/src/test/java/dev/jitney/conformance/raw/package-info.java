/**
 * An AMQP 1.0 client with nothing hidden: every octet that is sent is chosen by the test, and every octet that arrives
 * can be asserted on (list lengths, explicit nulls, the form of descriptors), which the engines inside SDKs do not show.
 *
 * <p>Read {@link dev.jitney.conformance.raw.RawPeer} first, then {@link dev.jitney.conformance.raw.RawLink};
 * {@link dev.jitney.conformance.raw.Wire} writes and {@link dev.jitney.conformance.raw.Node} reads AMQP types. It shares
 * no code with the broker on purpose: an error in a codec both use would cancel out.
 */
@NullMarked
package dev.jitney.conformance.raw;

import org.jspecify.annotations.NullMarked;
