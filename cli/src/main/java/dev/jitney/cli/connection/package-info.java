/**
 * The way to a namespace: {@link dev.jitney.cli.connection.NamespaceAddress} (what a connection string says),
 * {@link dev.jitney.cli.connection.ConnectionOptions} (the options of all commands),
 * {@link dev.jitney.cli.connection.NamespaceClients} (clients of the official SDK, made for it), and
 * {@link dev.jitney.cli.connection.Failures} (what their errors mean to the user).
 */
@NullMarked
package dev.jitney.cli.connection;

import org.jspecify.annotations.NullMarked;
