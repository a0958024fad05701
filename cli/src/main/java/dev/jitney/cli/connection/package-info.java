/**
 * Connections to a namespace: {@link dev.jitney.cli.connection.NamespaceAddress} (a parsed connection string),
 * {@link dev.jitney.cli.connection.ConnectionOptions} (the options of all commands),
 * {@link dev.jitney.cli.connection.NamespaceClients} (clients of the official SDK),
 * {@link dev.jitney.cli.connection.ServerCommand} (the base of commands without an entity), and
 * {@link dev.jitney.cli.connection.Failures} (translation of SDK errors for the user).
 */
@NullMarked
package dev.jitney.cli.connection;

import org.jspecify.annotations.NullMarked;
