/**
 * The HTTP edge: {@link dev.jitney.gateway.http.HttpGateway} owns the listeners and says how the broker is doing.
 *
 * <p>It talks HTTP through Vert.x on event loops of its own. What all routes share is in
 * {@code dev.jitney.gateway.http.exchange}, AMQP inside WebSockets in {@code dev.jitney.gateway.http.websocket},
 * the sockets below in {@code dev.jitney.gateway.http.socket}. Only the
 * server module depends on it.
 */
@NullMarked
package dev.jitney.gateway.http;

import org.jspecify.annotations.NullMarked;
