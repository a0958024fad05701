package dev.jitney.server;

import dev.jitney.cluster.member.ClusterMember;
import java.util.stream.Collectors;

/** Checks of the options of a cluster, before anything is opened. */
final class ClusterChecks {
    private ClusterChecks() {}

    static void check(ClusterOptions cluster) throws StartException {
        if (cluster.self() == null) {
            throw StartException.badOption("--cluster-node " + cluster.node() + ": Expected a name of --cluster-nodes ("
                    + cluster.members().stream().map(ClusterMember::name).collect(Collectors.joining(", ")) + ").");
        }
        if (!cluster.plain()) {
            for (ClusterMember member : cluster.members()) {
                if (!Hosts.isLoopback(member.host())) {
                    throw StartException.badOption("--cluster-nodes: Node '" + member.name() + "' is at "
                            + member.host() + ", and this release has no TLS between nodes. Anyone who can connect to"
                            + " these ports can read and change all messages. If the network between the nodes is"
                            + " private, add --cluster-plain.");
                }
            }
        }
        int electionMs = cluster.electionMs();
        if (electionMs < ClusterOptions.ELECTION_MS_MIN || electionMs > ClusterOptions.ELECTION_MS_MAX) {
            throw StartException.badOption("--cluster-election-ms: Expected " + ClusterOptions.ELECTION_MS_MIN + " to "
                    + ClusterOptions.ELECTION_MS_MAX + " milliseconds, but got " + electionMs + ".");
        }
        if (cluster.logBytesMax() < ClusterOptions.LOG_BYTES_MIN) {
            throw StartException.badOption("--cluster-log-size: Expected at least "
                    + (ClusterOptions.LOG_BYTES_MIN >> 20) + "m, but got " + cluster.logBytesMax() + " bytes.");
        }
    }
}
