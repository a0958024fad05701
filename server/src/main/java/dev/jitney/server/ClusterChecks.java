package dev.jitney.server;

import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.server.cluster.ClusterOptions;
import java.util.stream.Collectors;

/** Checks of the options of a cluster, before anything is opened. */
final class ClusterChecks {
    private ClusterChecks() {}

    static void check(ClusterOptions cluster) throws StartException {
        if (cluster.self() == null) {
            throw StartException.badOption("--cluster-node " + cluster.node() + ": Expected a name of --cluster-nodes ("
                    + cluster.members().stream().map(ClusterMember::name).collect(Collectors.joining(", ")) + ").");
        }
        if (cluster.tls() != null && cluster.plain()) {
            throw StartException.badOption("--cluster-plain: Expected either --cluster-tls or --cluster-plain, but got"
                    + " both. Remove one of them.");
        }
        if (cluster.tls() == null && !cluster.plain()) {
            for (ClusterMember member : cluster.members()) {
                if (!Hosts.isLoopback(member.host())) {
                    throw StartException.badOption("--cluster-nodes: Node '" + member.name() + "' is at "
                            + member.host() + ", so nodes need TLS: anyone who can connect to these ports without it"
                            + " can read and change all messages. Make certificates with 'jitney cluster"
                            + " certificates', and add --cluster-tls CERT,KEY,CA. If the network between the nodes is"
                            + " private, add --cluster-plain instead.");
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
