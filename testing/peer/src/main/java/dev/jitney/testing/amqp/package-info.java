/**
 * An AMQP 1.0 client without abstractions: a test chooses every byte that is sent and can check every byte that
 * arrives. That includes list lengths, explicit nulls and the form of descriptors, which the engines inside SDKs do not
 * show.
 *
 * <p>Read {@link dev.jitney.testing.amqp.RawPeer} first, then {@link dev.jitney.testing.amqp.RawLink};
 * {@link dev.jitney.testing.amqp.Wire} encodes and {@link dev.jitney.testing.amqp.Node} decodes AMQP types. On purpose,
 * the client shares no code with the broker: an error in a shared codec would cancel out.
 *
 * <p>The tests of the gateway, the conformance tests, the crash tests and the fuzzer depend on this package.
 */
@NullMarked
package dev.jitney.testing.amqp;

import org.jspecify.annotations.NullMarked;
