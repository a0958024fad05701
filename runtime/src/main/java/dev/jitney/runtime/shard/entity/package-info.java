/**
 * The entities of one shard with their state, and the application of records to them. Read in this order:
 * <ol>
 *   <li>{@link dev.jitney.runtime.shard.entity.HostedEntity} is an entity as seen by its shard.
 *   <li>{@link dev.jitney.runtime.shard.entity.EntityInShard} is the state of an entity in memory.
 *   <li>{@link dev.jitney.runtime.shard.entity.EntitiesInShard} has all entities in memory.
 *   <li>{@link dev.jitney.runtime.shard.entity.ShardEntities} has all entities as rows.
 *   <li>{@link dev.jitney.runtime.shard.entity.ShardContext} has the facts that decisions use.
 *   <li>{@link dev.jitney.runtime.shard.entity.RecordApplier} applies decisions.
 *   <li>{@link dev.jitney.runtime.shard.entity.ShardScheduler} has the pending work.
 * </ol>
 *
 * <p>Its classes are public for the other packages of the runtime; gateways do not use them.
 */
@NullMarked
package dev.jitney.runtime.shard.entity;

import org.jspecify.annotations.NullMarked;
