/**
 * Three simulated nodes that agree on one log, as cruel as Raft allows: nodes are killed, frozen, cut off and lose their disks,
 * answers are lost, and entries appear under a later leader.
 *
 * <p>Read {@link dev.jitney.simulation.cluster.SimulatedCluster} first, then {@link
 * dev.jitney.simulation.cluster.SimulatedNode}. The rules of Raft are in {@link dev.jitney.simulation.cluster.Network}, {@link
 * dev.jitney.simulation.cluster.Elections} and {@link dev.jitney.simulation.cluster.Replication}. {@link
 * dev.jitney.simulation.cluster.Proposals} makes the faults of commits, and {@link dev.jitney.simulation.cluster.AgreedLog}
 * checks all nodes. {@link dev.jitney.simulation.cluster.Leadership} is the port of a leader's broker. The rules that apply
 * entries, and the store of the broker, are those of the product ({@code dev.jitney.cluster}).
 *
 * <p>All of it runs on one thread.
 */
@NullMarked
package dev.jitney.simulation.cluster;

import org.jspecify.annotations.NullMarked;
