/**
 * The entities of one shard with their state, and records applied to them. Read in this order:
 * {@link dev.jitney.runtime.shard.entity.HostedEntity} is an entity as its shard sees it,
 * {@link dev.jitney.runtime.shard.entity.EntityInShard} its state in memory,
 * {@link dev.jitney.runtime.shard.entity.EntitiesInShard} and {@link dev.jitney.runtime.shard.entity.ShardEntities} all of them, in
 * memory and as rows; {@link dev.jitney.runtime.shard.entity.ShardContext} has the facts that decisions use,
 * {@link dev.jitney.runtime.shard.entity.RecordApplier} applies decisions, and
 * {@link dev.jitney.runtime.shard.entity.ShardScheduler} notes what is left to do about which entities.
 *
 * <p>Its classes are public for the other packages of the runtime; gateways do not use them.
 */
@NullMarked
package dev.jitney.runtime.shard.entity;

import org.jspecify.annotations.NullMarked;
