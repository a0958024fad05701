/**
 * The whole broker in one process: {@link dev.jitney.server.JitneyServer} opens stores, broker and listeners in order
 * and closes them in reverse.
 *
 * <p>Read next: {@link dev.jitney.server.ServerOptions}, {@code NamespaceSettings}, {@code EntitySetup}. The command
 * line is in {@code dev.jitney.server.cli}, which depends on this package; this package does not depend on the command
 * line.
 */
@NullMarked
package dev.jitney.server;

import org.jspecify.annotations.NullMarked;
