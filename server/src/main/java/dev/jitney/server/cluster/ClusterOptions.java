package dev.jitney.server.cluster;

import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.server.tls.ClusterCertificates;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a server that is a node of a cluster. All but the name, the certificate and the directory must be the same on all nodes
 * (CL-31).
 *
 * @param members     all nodes of the cluster
 * @param node        the name of this node, one of the members
 * @param tls         the certificate of this node and the authority of the cluster, or null for connections without TLS (CL-70)
 * @param plain       true if the network between the nodes is private, so that they may speak without TLS (CL-70)
 * @param electionMs  shortest election timeout in milliseconds
 * @param logBytesMax size of the replicated log to keep for nodes that lag, in bytes (CL-41)
 * @param raftDir     directory of the replicated log, or null for {@code raft} in the data directory
 * @param origin      the change of the data directory before the start
 */
public record ClusterOptions(
        List<ClusterMember> members,
        String node,
        @Nullable ClusterCertificates tls,
        boolean plain,
        int electionMs,
        long logBytesMax,
        @Nullable Path raftDir,
        ClusterOrigin origin) {
    /** The limits of the shortest election timeout in milliseconds. */
    public static final int ELECTION_MS_MIN = 200;

    public static final int ELECTION_MS_MAX = 60_000;

    /** The smallest size of the log in bytes. */
    public static final long LOG_BYTES_MIN = 64L << 20;

    /** Makes options without a change of the data directory. */
    public ClusterOptions(
            List<ClusterMember> members,
            String node,
            @Nullable ClusterCertificates tls,
            boolean plain,
            int electionMs,
            long logBytesMax,
            @Nullable Path raftDir) {
        this(members, node, tls, plain, electionMs, logBytesMax, raftDir, ClusterOrigin.UNCHANGED);
    }

    public ClusterOptions {
        members = List.copyOf(members);
    }

    /** Returns this node, or null if its name is not the name of a member. */
    public @Nullable ClusterMember self() {
        for (ClusterMember member : members) {
            if (member.name().equals(node)) {
                return member;
            }
        }
        return null;
    }
}
