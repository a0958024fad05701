/**
 * The input and output of a shard's turn. Read in this order: a {@link dev.jitney.runtime.shard.turn.ShardTask} is a
 * task for a shard. It waits in the {@link dev.jitney.runtime.shard.turn.Mailbox}. {@link
 * dev.jitney.runtime.shard.turn.TurnTasks} runs tasks within a {@link dev.jitney.runtime.shard.turn.TurnBudget}: {@link
 * dev.jitney.runtime.shard.turn.TurnSteps} for rules of topics, {@link dev.jitney.runtime.shard.turn.BrowseBudget} for
 * peeks. When it is spent, they wait among the {@link dev.jitney.runtime.shard.turn.PostponedTasks}. {@link dev.jitney.runtime.shard.turn.Effects} are replies and deliveries that wait for the commit.
 *
 * <p>It uses only the public types of the runtime. Its classes are public for the other packages of the runtime;
 * gateways do not use them.
 */
@NullMarked
package dev.jitney.runtime.shard.turn;

import org.jspecify.annotations.NullMarked;
