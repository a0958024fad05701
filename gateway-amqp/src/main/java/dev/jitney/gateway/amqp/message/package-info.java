/**
 * What links and nodes both need of messages beyond {@code dev.jitney.codec}: the codec's arrays as the engine's
 * buffers ({@link dev.jitney.gateway.amqp.message.ProtonBuffers}) and the texts of errors
 * ({@link dev.jitney.gateway.amqp.message.ErrorText}).
 *
 * <p>Nothing here knows links or connections; the rest of the gateway may depend on it.
 */
@NullMarked
package dev.jitney.gateway.amqp.message;

import org.jspecify.annotations.NullMarked;
