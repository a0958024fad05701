/**
 * A process as a member of a cluster.
 *
 * <p>Reading order: {@link dev.jitney.cluster.node.ClusterNode} takes part in the cluster, as {@code ClusterSettings} say. It
 * reports each {@link dev.jitney.cluster.node.LeaderTerm} to a {@link dev.jitney.cluster.node.LeadershipListener}, and its
 * state as a {@link dev.jitney.cluster.node.NodeStatus}.
 */
@NullMarked
package dev.jitney.cluster.node;

import org.jspecify.annotations.NullMarked;
