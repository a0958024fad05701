/**
 * Messages on their way from an entity to another one (semantics chapter 9). Read in this order:
 * {@link dev.jitney.runtime.shard.forward.Forwarder} hands messages on within a commit,
 * {@link dev.jitney.runtime.shard.forward.Outbox} sends the others to another store as a
 * {@link dev.jitney.runtime.shard.forward.TransferBatch} of one {@link dev.jitney.runtime.shard.forward.TransferLane}, which
 * {@link dev.jitney.runtime.shard.forward.Inbox} takes and answers with a {@link dev.jitney.runtime.shard.forward.TransferAck};
 * {@link dev.jitney.runtime.shard.forward.DeadLetterForwarder} asks before it hands on dead-letters.
 *
 * <p>Only {@code Forwarder} is public, for the shard.
 */
@NullMarked
package dev.jitney.runtime.shard.forward;

import org.jspecify.annotations.NullMarked;
