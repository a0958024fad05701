/**
 * The node port: the HTTP pages of one node of a cluster for the other nodes and for operators. It is no port for clients.
 *
 * <p>Read in this order: {@link dev.jitney.server.node.NodePort} (the listener and its pages), {@link
 * dev.jitney.server.node.NodePages} and {@link dev.jitney.server.node.CheckpointSource} (their content, which the caller
 * provides), {@code NodeRequests} (reads requests and answers them), {@code Takeover} (hands a client's connection that
 * another node passed on to the gateways), {@code FileSender} (sends a file of a checkpoint).
 */
@NullMarked
package dev.jitney.server.node;

import org.jspecify.annotations.NullMarked;
