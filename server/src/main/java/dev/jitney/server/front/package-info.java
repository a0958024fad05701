/**
 * The ports that clients connect to, for a process that serves them at some times only: as the leader of a cluster
 * (CL-20 to CL-22).
 *
 * <p>Reading order: {@link dev.jitney.server.front.Front} binds the ports and decides about each connection. {@link
 * dev.jitney.server.front.ClientGateways} serves connections while this process leads. {@code WaitingRoom} has the connections
 * for which no node leads yet. {@code Relay} is one connection that another node serves, {@link
 * dev.jitney.server.front.RelayRequest} the request that opens it, and {@code Passage} one direction of its bytes.
 *
 * <p>{@code dev.jitney.server} and {@code dev.jitney.server.node} use this package.
 */
@NullMarked
package dev.jitney.server.front;

import org.jspecify.annotations.NullMarked;
