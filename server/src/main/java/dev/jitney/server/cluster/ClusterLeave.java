package dev.jitney.server.cluster;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The order to make the data directory of a cluster's only member that of a single node, before the server starts (CL-54).
 *
 * @param raftDir directory of the replicated log, or null for the data directory
 */
public record ClusterLeave(@Nullable Path raftDir) {}
