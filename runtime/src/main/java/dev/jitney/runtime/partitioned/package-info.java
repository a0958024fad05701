/**
 * Partitioned entities: commands, messages and receivers of a whole over its fragments, each of which is an ordinary entity
 * (docs/adr/0015). Read in this order: {@link dev.jitney.runtime.partitioned.Fragments} is all of it,
 * {@link dev.jitney.runtime.partitioned.FragmentSends} the way in, {@link dev.jitney.runtime.partitioned.FragmentCommands} routes
 * commands, of which {@link dev.jitney.runtime.partitioned.ScatterGather} asks all fragments and
 * {@link dev.jitney.runtime.partitioned.TwoPhaseRequest} changes several or none;
 * {@link dev.jitney.runtime.partitioned.FragmentReceivers} has the receivers, for which
 * {@link dev.jitney.runtime.partitioned.PartitionFanIn} fetches through one
 * {@link dev.jitney.runtime.partitioned.PartitionReceiver} per fragment into a
 * {@link dev.jitney.runtime.partitioned.PrefetchBuffer}.
 *
 * <p>Only {@code Fragments} is public, for {@code runtime.sharded}.
 */
@NullMarked
package dev.jitney.runtime.partitioned;

import org.jspecify.annotations.NullMarked;
