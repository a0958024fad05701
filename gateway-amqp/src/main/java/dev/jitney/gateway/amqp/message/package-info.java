/**
 * The message utilities that links and nodes share, beyond {@code dev.jitney.codec}: the codec's arrays as the engine's
 * buffers ({@link dev.jitney.gateway.amqp.message.ProtonBuffers}) and the texts of errors
 * ({@link dev.jitney.gateway.amqp.message.ErrorText}).
 *
 * <p>Nothing here depends on links or connections; the rest of the gateway may depend on this package.
 */
@NullMarked
package dev.jitney.gateway.amqp.message;

import org.jspecify.annotations.NullMarked;
