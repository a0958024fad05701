package dev.jitney.server.metrics;

import dev.jitney.cluster.node.NodeStatus;
import dev.jitney.server.front.FrontFigures;
import dev.jitney.server.node.NodeReasons;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of a node of a cluster at one moment, for its metrics.
 *
 * @param front    the figures of the client ports, or null while they are closed
 * @param self     this node as it describes itself
 * @param degraded the kinds of reasons for which the cluster needs attention
 */
public record ClusterFigures(
        NodeStatus status,
        NodeStatus.Figures node,
        @Nullable FrontFigures front,
        NodeStatus.Peer self,
        Set<NodeReasons.Kind> degraded) {}
