/**
 * Forwarding of messages from one entity to another (semantics chapter 9). Read in this order:
 * <ol>
 *   <li>{@link dev.jitney.runtime.shard.forward.Forwarder} forwards messages within a commit.
 *   <li>{@link dev.jitney.runtime.shard.forward.Outbox} sends the others to another store, in the order of
 *       {@link dev.jitney.runtime.shard.forward.DepartingLanes}, as a
 *       {@link dev.jitney.runtime.shard.forward.TransferBatch} of one
 *       {@link dev.jitney.runtime.shard.forward.TransferLane}.
 *   <li>{@link dev.jitney.runtime.shard.forward.Inbox} stores the batch and answers with a
 *       {@link dev.jitney.runtime.shard.forward.TransferAck}.
 *   <li>{@link dev.jitney.runtime.shard.forward.DeadLetterForwarder} checks with the destination before it
 *       forwards dead-letters.
 * </ol>
 *
 * <p>Only {@code Forwarder} is public, for the shard.
 */
@NullMarked
package dev.jitney.runtime.shard.forward;

import org.jspecify.annotations.NullMarked;
