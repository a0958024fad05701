/**
 * The rules of partitioned entities that need no state (semantics chapter 17). They determine the fragments of an entity,
 * the fragment of a message, a sequence number or a lock token, and the limits of a transaction on a partitioned entity.
 *
 * <p>Read in this order: {@link dev.jitney.model.Partitioning} (settings), {@link dev.jitney.core.partition.KeyRules} and
 * {@link dev.jitney.core.partition.KeyHash} (key and fragment), {@link dev.jitney.core.partition.SendRoute} with
 * {@link dev.jitney.core.partition.RoundRobin} (the fragment of a send),
 * {@link dev.jitney.core.partition.FragmentNumbers} and {@link dev.jitney.core.partition.FragmentTokens} (the fragment of
 * a stored message), {@link dev.jitney.core.partition.PeekOrder}, {@link dev.jitney.core.partition.TransactionScope}.
 *
 * <p>Unlike the rest of the core these classes are also used outside the thread of a shard, because the fragment
 * determines the shard. Any thread may call everything except {@link dev.jitney.core.partition.RoundRobin}. Depends only
 * on {@code dev.jitney.model}.
 */
@NullMarked
package dev.jitney.core.partition;

import org.jspecify.annotations.NullMarked;
