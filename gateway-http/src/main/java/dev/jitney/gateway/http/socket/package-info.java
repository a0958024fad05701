/**
 * The sockets of the HTTP stack, below the level that Vert.x exposes.
 *
 * <p>Read in this order: {@link dev.jitney.gateway.http.socket.AdmittingTransport}, which reports every accepted
 * socket; {@link dev.jitney.gateway.http.socket.SocketDoor}, the entry for sockets that another listener has accepted.
 * Used only by {@link dev.jitney.gateway.http.HttpGateway}.
 */
@NullMarked
package dev.jitney.gateway.http.socket;

import org.jspecify.annotations.NullMarked;
