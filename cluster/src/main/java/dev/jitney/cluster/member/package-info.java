/**
 * The members of a cluster: who they are, and how a node becomes one of them.
 *
 * <p>Reading order: {@link dev.jitney.cluster.member.ClusterSettings} and {@link dev.jitney.cluster.member.ClusterMember} are
 * the content of the options. {@link dev.jitney.cluster.member.Membership} is the part of a node in a cluster, as its data directory has
 * it. {@link dev.jitney.cluster.member.NodeHello} is the introduction of a node to the others, which {@link
 * dev.jitney.cluster.member.NodeLink} carries. {@link dev.jitney.cluster.member.Joining} is the way of a node into its
 * cluster, and {@link dev.jitney.cluster.member.MemberChanges} the work of the leader for it.
 */
@NullMarked
package dev.jitney.cluster.member;

import org.jspecify.annotations.NullMarked;
