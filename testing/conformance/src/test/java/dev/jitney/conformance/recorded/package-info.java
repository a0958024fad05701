/**
 * Administration over raw HTTP: a small client that sends exactly the bytes it is given, and the requests of the clients in
 * .NET, Python and Go as they were recorded (HTTP reference, chapters 1 and 2), on the listeners with and without TLS.
 * {@link dev.jitney.conformance.recorded.ReplayedReconnectTest} replays over AMQP what those in .NET and Go send after a
 * connection loss.
 */
@NullMarked
package dev.jitney.conformance.recorded;

import org.jspecify.annotations.NullMarked;
