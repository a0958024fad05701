/**
 * Sockets of the HTTP stack, below everything that it tells of itself.
 *
 * <p>Read in this order: {@link dev.jitney.gateway.http.socket.AdmittingTransport}, which tells of every accepted socket;
 * {@link dev.jitney.gateway.http.socket.SocketDoor}, through which sockets come that another listener has accepted. Used
 * by {@link dev.jitney.gateway.http.HttpGateway} alone.
 */
@NullMarked
package dev.jitney.gateway.http.socket;

import org.jspecify.annotations.NullMarked;
