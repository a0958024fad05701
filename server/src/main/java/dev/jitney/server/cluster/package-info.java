/**
 * The options of a node of a cluster. {@link dev.jitney.server.cluster.ClusterOptions} has all of them, {@link
 * dev.jitney.server.cluster.ClusterOrigin} is a change of the data directory before the start, and {@link
 * dev.jitney.server.cluster.ClusterLeave} the one that makes a single node of a member.
 */
@NullMarked
package dev.jitney.server.cluster;

import org.jspecify.annotations.NullMarked;
