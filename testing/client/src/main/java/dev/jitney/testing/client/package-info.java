/**
 * A lean AMQP 1.0 client for benchmarks and crash tests: the protonj2 engine over Netty, one event loop per connection, without
 * blocking or retries. An SDK hides a refused send, a lost connection or a missing outcome; the users of this client need to see
 * them.
 *
 * <p>Read {@link dev.jitney.testing.client.AmqpClient} first, then {@link dev.jitney.testing.client.ClientConnection},
 * the links, and {@link dev.jitney.testing.client.Messages}. Only modules under {@code testing/} and the demonstration {@code
 * jitney cluster try} may depend on it.
 */
@NullMarked
package dev.jitney.testing.client;

import org.jspecify.annotations.NullMarked;
