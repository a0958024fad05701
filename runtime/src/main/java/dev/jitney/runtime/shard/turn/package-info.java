/**
 * The ways into a turn of a shard and out of it. Read in this order: a {@link dev.jitney.runtime.shard.turn.ShardTask} is something
 * for a shard to do, it waits in the {@link dev.jitney.runtime.shard.turn.Mailbox}, or among the
 * {@link dev.jitney.runtime.shard.turn.PostponedTasks} when the {@link dev.jitney.runtime.shard.turn.TurnSteps} of a turn are
 * spent; {@link dev.jitney.runtime.shard.turn.Effects} are answers and deliveries that wait for the commit.
 *
 * <p>It knows the public face only. Its classes are public for the other packages of the runtime; gateways do not use them.
 */
@NullMarked
package dev.jitney.runtime.shard.turn;

import org.jspecify.annotations.NullMarked;
