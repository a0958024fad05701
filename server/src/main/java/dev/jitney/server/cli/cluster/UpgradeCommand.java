package dev.jitney.server.cli.cluster;

import dev.jitney.server.cli.cluster.NodePorts.NodeException;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code jitney cluster upgrade}: raises the level of a cluster (CL-61). */
@Command(
        name = "upgrade",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Completes the upgrade of a cluster to another release: raises the level of the cluster to the highest one that"
                    + " all members support.",
            "",
            "The level says in which formats the cluster writes its data. While nodes of two releases work together, it stays"
                    + " that of the former release, so that every node can go back. Run this command when all nodes run the"
                    + " new release, are in sync, and you are sure to keep it. Clients are served meanwhile, and the leader"
                    + " does not change.",
            "",
            "No node can go back to a release without the new level afterward: it would refuse to start. Many releases have"
                    + " the level of the one before. Then there is nothing to do, and the command says so.",
            "",
            "The command is refused if a member does not answer, is not in sync, or runs a release without the new level. The"
                    + " message names these nodes. 'jitney cluster status' shows the level, and that an upgrade is possible.",
            "",
            "Exit status: 0 = the cluster has the highest level that all members support, 1 = the command was refused or the"
                    + " outcome is unknown, and the message names the reason, 2 = invalid options."
        },
        optionListHeading =
                "%nOptions (each is also an environment variable: --cluster-nodes is JITNEY_CLUSTER_NODES):%n",
        footerHeading = "%nExamples:%n",
        footer = {"  jitney cluster upgrade", "  jitney cluster upgrade --node broker-1:7401"})
final class UpgradeCommand implements Callable<Integer> {
    private static final long OUTCOME_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long POLL_MS = 250;

    private final PrintStream out;
    private final PrintStream err;

    @Mixin
    private NodeOptions nodes = new NodeOptions();

    UpgradeCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws InterruptedException {
        try {
            NodePorts ports = nodes.open();
            ClusterState before = ports.state();
            try {
                out.println(ports.upgrade());
                return 0;
            } catch (NodeException e) {
                String reason = String.valueOf(e.getMessage());
                if (isRaised(ports, before, isUnknown(reason))) {
                    return 0;
                }
                err.println("jitney: " + refusal(reason));
                return 1;
            }
        } catch (NodeException e) {
            err.println("jitney: " + e.getMessage());
            return 1;
        }
    }

    private static String refusal(String reason) {
        if (isUnknown(reason)) {
            return "The level of the cluster may have been raised. " + reason + ". Run this command again.";
        }
        return "The level of the cluster was not raised. " + reason + "."
                + (reason.contains("answered 404")
                        ? " The leader runs a release without this command. Upgrade all nodes first."
                        : "");
    }

    /** Returns whether the leader has ended before its answer, so that the level may have been raised. */
    private static boolean isUnknown(String reason) {
        return !reason.contains(" answered ") || reason.contains("To see it: ");
    }

    /** Returns whether the level was raised, although the leader has not said so. */
    private boolean isRaised(NodePorts ports, ClusterState before, boolean waits) throws InterruptedException {
        long begunNanos = System.nanoTime();
        do {
            try {
                ClusterState now = ports.state();
                if (now.level() > before.level() && before.level() > 0) {
                    out.println("The cluster had level " + before.level() + " and has level " + now.level()
                            + " now. The leader has changed meanwhile.");
                    return true;
                }
            } catch (NodeException e) {
                // nodes may refuse requests while the leadership moves
            }
            if (waits) {
                TimeUnit.MILLISECONDS.sleep(POLL_MS);
            }
        } while (waits && System.nanoTime() - begunNanos < OUTCOME_NANOS);
        return false;
    }
}
