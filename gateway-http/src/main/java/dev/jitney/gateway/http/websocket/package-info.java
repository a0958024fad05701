/**
 * AMQP over WebSocket, as far as it is HTTP: {@link dev.jitney.gateway.http.websocket.WebSocketUpgrade} judges the upgrade,
 * {@link dev.jitney.gateway.http.websocket.WebSocketTunnel} carries the octets of one client.
 *
 * <p>Where the octets go is not known here: {@link dev.jitney.gateway.http.websocket.AmqpTunnels} and
 * {@link dev.jitney.gateway.http.websocket.TunnelEnd} are ports, which the server connects to the AMQP gateway.
 */
@NullMarked
package dev.jitney.gateway.http.websocket;

import org.jspecify.annotations.NullMarked;
