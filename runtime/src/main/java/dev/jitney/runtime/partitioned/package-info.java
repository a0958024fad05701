/**
 * Partitioned entities: commands, messages and receivers of a whole, distributed over its fragments, each of which is
 * an ordinary entity (docs/adr/0015). Read in this order:
 *
 * <ol>
 *   <li>{@link dev.jitney.runtime.partitioned.Fragments} is the entry point.
 *   <li>{@link dev.jitney.runtime.partitioned.FragmentSends} sends messages.
 *   <li>{@link dev.jitney.runtime.partitioned.FragmentCommands} routes commands.
 *       {@link dev.jitney.runtime.partitioned.ScatterGather} queries all fragments,
 *       {@link dev.jitney.runtime.partitioned.SessionListing} lists their sessions, and
 *       {@link dev.jitney.runtime.partitioned.TwoPhaseRequest} changes several or none.
 *   <li>{@link dev.jitney.runtime.partitioned.FragmentReceivers} has the receivers.
 *       {@link dev.jitney.runtime.partitioned.PartitionFanIn} prefetches for them through one
 *       {@link dev.jitney.runtime.partitioned.PartitionReceiver} per fragment into a
 *       {@link dev.jitney.runtime.partitioned.PrefetchBuffer}.
 * </ol>
 *
 * <p>Only {@code Fragments} is public, for {@code runtime.sharded}.
 */
@NullMarked
package dev.jitney.runtime.partitioned;

import org.jspecify.annotations.NullMarked;
