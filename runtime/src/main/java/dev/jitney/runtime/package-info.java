/**
 * What drives the core: {@link dev.jitney.runtime.Broker} opens shards and finds entities, a shard is one thread that
 * decides commands and commits what follows in batches, replies and deliveries leave when their batch is durable.
 *
 * <p>Gateways use {@link dev.jitney.runtime.Broker}, {@link dev.jitney.runtime.Namespace},
 * {@link dev.jitney.runtime.Entity} and the listeners; adapters implement {@code dev.jitney.runtime.store}.
 */
@NullMarked
package dev.jitney.runtime;

import org.jspecify.annotations.NullMarked;
