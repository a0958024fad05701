/**
 * The whole broker in one process: {@link dev.jitney.server.JitneyServer} opens stores, broker and listeners in order
 * and closes them in reverse.
 *
 * <p>Read next: {@link dev.jitney.server.ServerOptions}, {@code NamespaceSettings}, {@code EntitySetup}. {@code ServerLife} says when
 * clients are served, and {@code ServiceTerm} serves them. A node of a cluster has its ports in {@code
 * dev.jitney.server.front} and {@code dev.jitney.server.node}. The command line is in {@code
 * dev.jitney.server.cli}, which depends on this package; this package does not depend on the command line.
 */
@NullMarked
package dev.jitney.server;

import org.jspecify.annotations.NullMarked;
