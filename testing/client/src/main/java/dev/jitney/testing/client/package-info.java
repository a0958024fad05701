/**
 * A lean AMQP 1.0 client for benchmarks and crash tests: the protonj2 engine over Netty, one event loop per connection,
 * nothing blocking, nothing retried, nothing hidden. What an SDK would smooth over (a refused send, a lost connection, an
 * outcome that never came) is what its users want to see.
 *
 * <p>Read {@link dev.jitney.testing.client.AmqpClient} first, then {@link dev.jitney.testing.client.ClientConnection},
 * the links, and {@link dev.jitney.testing.client.Messages}. Who may depend on it: modules under {@code testing/}.
 */
@NullMarked
package dev.jitney.testing.client;

import org.jspecify.annotations.NullMarked;
