package dev.jitney.server.cluster;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The change of the data directory of a node before it starts. A change that is complete is not repeated.
 *
 * @param found   whether the directory of a single node becomes that of the first member of a cluster (CL-54)
 * @param abandon the id of the cluster whose other members are gone for good, or null (CL-56)
 */
public record ClusterOrigin(boolean found, @Nullable UUID abandon) {
    /** No change. */
    public static final ClusterOrigin UNCHANGED = new ClusterOrigin(false, null);
}
