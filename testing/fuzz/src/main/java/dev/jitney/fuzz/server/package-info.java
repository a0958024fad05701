/**
 * The whole broker with an in-memory store, for targets that use its gateways:
 * {@link dev.jitney.fuzz.server.FuzzedBroker} and clients that send given bytes.
 */
@NullMarked
package dev.jitney.fuzz.server;

import org.jspecify.annotations.NullMarked;
