/**
 * {@code jitney namespace}: namespaces of a server of ours, made, listed and deleted while it runs. The SDKs have no words for
 * that, so this speaks to the server itself ({@link dev.jitney.cli.connection.ServerApi}).
 */
@NullMarked
package dev.jitney.cli.namespace;

import org.jspecify.annotations.NullMarked;
