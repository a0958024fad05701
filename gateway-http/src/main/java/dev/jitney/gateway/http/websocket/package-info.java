/**
 * The HTTP side of AMQP over WebSockets: {@link dev.jitney.gateway.http.websocket.WebSocketUpgrade} checks and upgrades
 * requests, {@link dev.jitney.gateway.http.websocket.WebSocketTunnel} transfers the bytes of one client.
 *
 * <p>This package does not depend on the AMQP side: {@link dev.jitney.gateway.http.websocket.AmqpTunnels} and {@link
 * dev.jitney.gateway.http.websocket.TunnelEnd} are ports, which the server connects to the AMQP gateway.
 */
@NullMarked
package dev.jitney.gateway.http.websocket;

import org.jspecify.annotations.NullMarked;
