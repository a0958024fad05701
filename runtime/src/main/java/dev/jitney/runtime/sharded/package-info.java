/**
 * Assembles a broker from shards, namespaces and partitions: {@link dev.jitney.runtime.sharded.ShardedBroker} with
 * threads, {@link dev.jitney.runtime.sharded.DrivenBroker} without. Servers and tests use it; gateways get a
 * {@link dev.jitney.runtime.Broker}.
 */
@NullMarked
package dev.jitney.runtime.sharded;

import org.jspecify.annotations.NullMarked;
