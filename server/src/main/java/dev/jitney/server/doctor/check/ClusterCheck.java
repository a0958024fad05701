package dev.jitney.server.doctor.check;

import dev.jitney.server.cluster.ClusterOptions;
import dev.jitney.server.doctor.Check;
import dev.jitney.server.doctor.Findings;
import dev.jitney.server.doctor.Installation;

/** The traffic between the nodes of a cluster. */
final class ClusterCheck implements Check {
    @Override
    public String name() {
        return "cluster";
    }

    @Override
    public void run(Installation of, Findings to) {
        ClusterOptions cluster = of.options().cluster();
        if (cluster == null) {
            to.ok("This is a single node.");
        } else if (cluster.plain() && cluster.tls() == null) {
            to.warning(
                    "--cluster-plain: Nodes connect without TLS. Others on their network can read and change all"
                            + " messages.",
                    "Make certificates with jitney cluster certificates, and use --cluster-tls.");
        } else {
            to.ok(
                    cluster.tls() == null
                            ? "All nodes are on this machine."
                            : "Nodes connect with TLS and certificates on both sides.");
        }
    }
}
