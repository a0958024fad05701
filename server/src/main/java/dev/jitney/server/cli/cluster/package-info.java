/**
 * The commands {@code jitney cluster status|lead|try}: clients of the node port, over HTTP.
 *
 * <p>Read {@link dev.jitney.server.cli.cluster.ClusterCommands} first, then {@code NodePorts} and {@code ClusterState},
 * which ask a node and read its answer. {@code TryCommand} is the demonstration: {@code TryNodes} starts the processes,
 * {@code TryClient} sends and receives, {@code TryLedger} counts, and {@code TryTimeline} prints.
 */
@NullMarked
package dev.jitney.server.cli.cluster;

import org.jspecify.annotations.NullMarked;
