/**
 * A shard: one thread that owns a set of queues and topics with their subscriptions, and one messaging store. Read in this order:
 * {@link dev.jitney.runtime.shard.Shard} takes a turn, {@link dev.jitney.runtime.shard.ShardTurn} has its parts in their order:
 * {@link dev.jitney.runtime.shard.ShardCommands} does what clients ask for, {@link dev.jitney.runtime.shard.ShardTimers} what is
 * due, {@link dev.jitney.runtime.shard.ShardDeliveries} hands out messages over
 * {@link dev.jitney.runtime.shard.ShardReceivers}, {@link dev.jitney.runtime.shard.Transactions} gathers operations,
 * {@link dev.jitney.runtime.shard.EntityLifecycle} creates, changes and deletes entities. {@link
 * dev.jitney.runtime.shard.EntityTasks} and {@link dev.jitney.runtime.shard.ChangeTask} are the tasks that callers leave.
 *
 * <p>It knows nothing of namespaces and partitions: it sees entities as {@code HostedEntity}. Its classes are public for
 * {@code runtime.namespace}, {@code runtime.partitioned} and {@code runtime.sharded}; gateways do not use them.
 */
@NullMarked
package dev.jitney.runtime.shard;

import org.jspecify.annotations.NullMarked;
