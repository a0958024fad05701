package dev.jitney.server.metrics;

import dev.jitney.cluster.node.NodeStatus;
import dev.jitney.server.front.FrontFigures;
import org.jspecify.annotations.Nullable;

/**
 * The state of a node of a cluster at one moment, for its metrics.
 *
 * @param front the figures of the client ports, or null while they are closed
 */
public record ClusterFigures(
        NodeStatus status,
        NodeStatus.Figures node,
        @Nullable FrontFigures front) {}
