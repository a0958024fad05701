/**
 * The rules of partitioned entities that need no state (semantics chapter 17): whether an entity is partitioned and into how
 * many fragments, which fragment a message, a sequence number or a lock token belongs to, and what a transaction on a
 * partitioned entity may do.
 *
 * <p>Read in this order: {@link dev.jitney.core.partition.Partitioning} (what there is),
 * {@link dev.jitney.core.partition.KeyRules} and {@link dev.jitney.core.partition.KeyHash} (which key, which fragment),
 * {@link dev.jitney.core.partition.SendRoute} with {@link dev.jitney.core.partition.RoundRobin} (where a send goes),
 * {@link dev.jitney.core.partition.FragmentNumbers} and {@link dev.jitney.core.partition.FragmentTokens} (the way back),
 * {@link dev.jitney.core.partition.PeekOrder}, {@link dev.jitney.core.partition.TransactionScope}.
 *
 * <p>Unlike the rest of the core these are also asked outside the thread of a shard, because the fragment decides which
 * shard is to be asked. Everything but {@link dev.jitney.core.partition.RoundRobin} may be called by any thread.
 * Depends on {@code dev.jitney.model} only.
 */
@NullMarked
package dev.jitney.core.partition;

import org.jspecify.annotations.NullMarked;
