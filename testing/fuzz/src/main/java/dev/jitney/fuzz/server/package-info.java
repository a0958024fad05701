/**
 * The whole broker on a store in memory, for targets that speak to its fronts: {@link dev.jitney.fuzz.server.FuzzedBroker}
 * and clients that send what they are told.
 */
@NullMarked
package dev.jitney.fuzz.server;

import org.jspecify.annotations.NullMarked;
