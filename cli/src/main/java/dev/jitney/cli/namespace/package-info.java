/**
 * {@code jitney namespace}: creation, listing and deletion of namespaces while a Jitney server runs. The SDKs have no API for
 * it, so these commands call the server directly ({@link dev.jitney.cli.connection.ServerApi}).
 */
@NullMarked
package dev.jitney.cli.namespace;

import org.jspecify.annotations.NullMarked;
