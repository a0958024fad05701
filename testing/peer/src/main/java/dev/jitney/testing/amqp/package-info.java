/**
 * An AMQP 1.0 client with nothing hidden: every octet that is sent is chosen by the test, and every octet that arrives
 * can be asserted on (list lengths, explicit nulls, the form of descriptors), which the engines inside SDKs do not show.
 *
 * <p>Read {@link dev.jitney.testing.amqp.RawPeer} first, then {@link dev.jitney.testing.amqp.RawLink};
 * {@link dev.jitney.testing.amqp.Wire} writes and {@link dev.jitney.testing.amqp.Node} reads AMQP types. It shares
 * no code with the broker on purpose: an error in a codec both use would cancel out.
 *
 * <p>The tests of the gateway, the conformance tests, the crash tests and the fuzzer depend on it.
 */
@NullMarked
package dev.jitney.testing.amqp;

import org.jspecify.annotations.NullMarked;
