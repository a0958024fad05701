/**
 * The node port: the HTTP pages of one node of a cluster for the other nodes and for operators. It is no port for clients.
 *
 * <p>Reading order: {@link dev.jitney.server.node.NodePort} is the listener. The caller provides its content: {@link
 * dev.jitney.server.node.NodePages} for operators, {@link dev.jitney.server.node.NodeTraffic} for other nodes. {@code
 * NodeRequests} reads requests and answers them. {@code Takeover} hands a connection that another node passed on to the
 * gateways. {@link dev.jitney.server.node.HttpNodeLink} sends requests to other nodes.
 *
 * <p>TLS between nodes: {@code Handshakes} begins it at the node port, {@code NodeTls} is the handler of a connection, and {@link
 * dev.jitney.server.node.LinkFaults} has the faults in words.
 */
@NullMarked
package dev.jitney.server.node;

import org.jspecify.annotations.NullMarked;
