package dev.jitney.cluster.change;

import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.cluster.member.ClusterSettings;
import dev.jitney.cluster.member.Membership;
import dev.jitney.cluster.member.NodeAwayException;
import dev.jitney.cluster.member.NodeCondition;
import dev.jitney.cluster.member.NodeHello;
import dev.jitney.cluster.member.NodeLink;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests the introductions of the other nodes before a change. Only a node whose port refuses connections or cannot be reached
 * counts as gone. One that runs without an answer may just start: it belongs to a cluster perhaps (CL-54, CL-56).
 */
final class OtherNodes {
    private static final Logger LOG = LoggerFactory.getLogger(OtherNodes.class);
    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final ClusterSettings settings;
    private final NodeLink link;
    private final long patienceNanos;
    private final byte[] own;

    /**
     * @param settings      the settings of this node
     * @param link          sends requests to the other nodes
     * @param patienceNanos the time for a node that runs to give its introduction, in nanoseconds
     */
    OtherNodes(ClusterSettings settings, NodeLink link, long patienceNanos) {
        this.settings = settings;
        this.link = link;
        this.patienceNanos = patienceNanos;
        own = new NodeHello(
                        settings.name(),
                        Membership.newIdentity(settings.name()),
                        "",
                        settings.stores(),
                        null,
                        List.of(),
                        false,
                        0,
                        Map.of(),
                        NodeCondition.WELL)
                .bytes();
    }

    /**
     * Returns the introduction of a node, or null if the node is gone.
     *
     * @throws IOException if the node runs and does not introduce itself within the time; the message is for the operator
     */
    @Nullable
    NodeHello ask(ClusterMember other) throws IOException {
        long end = System.nanoTime() + patienceNanos;
        boolean noted = false;
        while (true) {
            try {
                return NodeHello.parse(link.ask(other, NodeLink.HELLO, own));
            } catch (NodeAwayException e) {
                LOG.info(
                        "Node '{}' at {}:{} is silent: {}",
                        other.name(),
                        other.host(),
                        other.nodePort(),
                        e.getMessage());
                return null;
            } catch (IOException e) {
                if (System.nanoTime() - end >= 0) {
                    throw new IOException(
                            "Expected an introduction of node '" + other.name() + "' at " + other.host() + ":"
                                    + other.nodePort()
                                    + ", or that nothing runs there, but the node runs and gives none: "
                                    + sentence(e) + " Wait until it has started, or stop it, and start node '"
                                    + settings.name() + "' again.",
                            e);
                }
                if (!noted) {
                    noted = true;
                    LOG.info("Waiting for an introduction of node '{}': {}", other.name(), e.getMessage());
                }
            }
            LockSupport.parkNanos(AGAIN_NANOS);
        }
    }

    private static String sentence(IOException reason) {
        String text = String.valueOf(reason.getMessage());
        return text.endsWith(".") ? text : text + ".";
    }
}
