/**
 * A shard: one thread that owns a set of queues, topics and subscriptions, and one messaging store. Read in this order:
 * <ol>
 *   <li>{@link dev.jitney.runtime.shard.Shard} runs the turns.
 *   <li>{@link dev.jitney.runtime.shard.ShardTurn} has the parts of a turn in their order.
 *   <li>{@link dev.jitney.runtime.shard.ShardCommands} executes the commands of clients.
 *   <li>{@link dev.jitney.runtime.shard.ShardTimers} runs timers.
 *   <li>{@link dev.jitney.runtime.shard.ShardDeliveries} delivers messages through
 *       {@link dev.jitney.runtime.shard.ShardReceivers}.
 *   <li>{@link dev.jitney.runtime.shard.Transactions} gathers the operations of transactions, and {@code TransactionShares} keeps
 *       their clients to equal shares.
 *   <li>{@link dev.jitney.runtime.shard.Replacements} replaces messages for operators.
 *   <li>{@link dev.jitney.runtime.shard.Interventions} are the operations of tests, and {@link
 *       dev.jitney.runtime.shard.HistoryRecorder} writes the history of messages for them.
 *   <li>{@link dev.jitney.runtime.shard.EntityLifecycle} creates, changes and deletes entities.
 *   <li>{@link dev.jitney.runtime.shard.EntityTasks}, {@link dev.jitney.runtime.shard.CreditTask} and {@link
 *       dev.jitney.runtime.shard.ChangeTask} are the tasks of callers.
 *   <li>{@link dev.jitney.runtime.shard.ShardMeter} measures, and {@link dev.jitney.runtime.shard.TurnWatch} logs slow turns.
 * </ol>
 *
 * <p>It knows nothing of namespaces and partitions: it sees entities as {@code HostedEntity}. Its classes are public
 * for {@code runtime.namespace}, {@code runtime.partitioned} and {@code runtime.sharded}; gateways do not use them.
 */
@NullMarked
package dev.jitney.runtime.shard;

import org.jspecify.annotations.NullMarked;
