/**
 * Tests of administration over raw HTTP, on the listeners with and without TLS. A small client sends exactly the given
 * bytes: the recorded requests of the clients in .NET, Python and Go (HTTP reference, chapters 1 and 2).
 *
 * <p>{@link dev.jitney.conformance.recorded.ReplayedReconnectTest} replays over AMQP the requests of the .NET and Go clients
 * after a connection loss.
 */
@NullMarked
package dev.jitney.conformance.recorded;

import org.jspecify.annotations.NullMarked;
