package dev.jitney.cluster.member;

import dev.jitney.cluster.ratis.ClusterTls;
import dev.jitney.runtime.store.FormatLevels;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a node in a cluster. All but the directory must be the same on all nodes (CL-31).
 *
 * @param members     all members
 * @param name        the name of this node, one of the members
 * @param directory   directory of the replicated log and of what the node knows about the cluster
 * @param stores      number of stores
 * @param electionMs  shortest election timeout in milliseconds
 * @param logBytesMax size of the log to keep for members that lag, in bytes (CL-41)
 * @param facts       facts about this node for the others
 * @param tls         the certificates of connections between Ratis servers, or null for connections without TLS (CL-70)
 * @param levels      the levels that the release of this node supports (CL-60); these may differ between nodes
 */
public record ClusterSettings(
        List<ClusterMember> members,
        String name,
        Path directory,
        int stores,
        int electionMs,
        long logBytesMax,
        Facts facts,
        @Nullable ClusterTls tls,
        FormatLevels levels) {
    /** The default of the shortest election timeout. */
    public static final int ELECTION_MS = 1_000;

    /** The default of the size of the log. */
    public static final long LOG_BYTES_MAX = 1L << 30;

    private static final int STORES_MAX = 0xFFFF;

    /**
     * Facts about this node for the others.
     *
     * @param release  the version of the program: no spaces
     * @param settings a short digest of each setting that should be the same on all nodes (CL-31), by the name of its option;
     *     neither has spaces or equals signs
     */
    public record Facts(String release, Map<String, String> settings) {
        /** No facts. */
        public static final Facts NONE = new Facts("", Map.of());

        public Facts {
            settings = Map.copyOf(settings);
        }
    }

    /** Makes settings without facts and without TLS. */
    public ClusterSettings(
            List<ClusterMember> members, String name, Path directory, int stores, int electionMs, long logBytesMax) {
        this(members, name, directory, stores, electionMs, logBytesMax, Facts.NONE);
    }

    /** Makes settings without TLS, with the levels of this release. */
    public ClusterSettings(
            List<ClusterMember> members,
            String name,
            Path directory,
            int stores,
            int electionMs,
            long logBytesMax,
            Facts facts) {
        this(members, name, directory, stores, electionMs, logBytesMax, facts, null, FormatLevels.OF_THIS_RELEASE);
    }

    public ClusterSettings {
        members = List.copyOf(members);
        if (stores < 1 || stores > STORES_MAX) {
            throw new IllegalArgumentException("Expected 1 to " + STORES_MAX + " stores, but got " + stores + ".");
        }
        if (logBytesMax < 0) {
            throw new IllegalArgumentException("Expected a size of the log, but got " + logBytesMax + ".");
        }
        if (members.stream().noneMatch(member -> member.name().equals(name))) {
            throw new IllegalArgumentException("--cluster-node: Expected a name of --cluster-nodes ("
                    + String.join(
                            ", ", members.stream().map(ClusterMember::name).toList()) + "), but got '" + name
                    + "'.");
        }
    }

    /** Returns this node. */
    public ClusterMember self() {
        return members.stream()
                .filter(member -> member.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
