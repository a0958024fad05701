/**
 * The connected clients, as the gateway that serves them describes them to operators. Read
 * {@link dev.jitney.runtime.client.ConnectedClients} first.
 */
@NullMarked
package dev.jitney.runtime.client;

import org.jspecify.annotations.NullMarked;
