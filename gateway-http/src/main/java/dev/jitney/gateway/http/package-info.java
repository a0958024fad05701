/**
 * The HTTP edge: {@link dev.jitney.gateway.http.HttpGateway} owns the listeners and the health pages.
 *
 * <p>It uses Vert.x with event loops of its own. {@code dev.jitney.gateway.http.exchange} has the code that all routes
 * share, {@code dev.jitney.gateway.http.websocket} AMQP over WebSockets, and {@code dev.jitney.gateway.http.socket} the
 * sockets below. Only the server module depends on it.
 */
@NullMarked
package dev.jitney.gateway.http;

import org.jspecify.annotations.NullMarked;
