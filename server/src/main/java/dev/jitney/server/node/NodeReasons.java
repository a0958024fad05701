package dev.jitney.server.node;

import dev.jitney.cluster.node.NodeStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The reasons for which a cluster that serves its clients needs attention (CL-80). */
public final class NodeReasons {
    /** The difference of clocks that needs attention. */
    private static final long CLOCKS_MS = 2_000;

    private static final double BYTES_PER_GB = 1e9;
    private static final Duration RENEWAL = Duration.ofDays(30);

    private NodeReasons() {}

    /**
     * Returns a sentence for each reason.
     *
     * @param status    the state of this node
     * @param peers     this node and the others that have answered lately
     * @param secured   whether the nodes use TLS, or only loopback addresses
     */
    public static List<String> of(NodeStatus status, List<NodeStatus.Peer> peers, boolean secured) {
        List<String> reasons = new ArrayList<>();
        if (status.members().size() == 2) {
            reasons.add("The cluster has two nodes only and survives no loss. Add a third node.");
        }
        if (!secured) {
            reasons.add(
                    "The nodes connect without TLS (--cluster-plain). Use a private network for them, or --cluster-tls.");
        }
        if (status.remark() != null) {
            reasons.add("Node " + status.name() + ": " + status.remark());
        }
        for (NodeStatus.Member member : status.members()) {
            String state = ClusterPage.state(status, member);
            if (state.equals("away") || state.equals("catching up")) {
                reasons.add("Node " + member.name() + " is " + state + ".");
            }
        }
        NodeStatus.Peer leader = peer(peers, status.leader());
        for (NodeStatus.Peer peer : peers) {
            compare(peer, leader, reasons);
            if (Math.abs(peer.clockOffsetMs()) > CLOCKS_MS) {
                reasons.add(String.format(
                        Locale.ROOT,
                        "The clock of node %s differs by %.1f s from that of node %s. Synchronize the clocks, for example by NTP.",
                        peer.name(),
                        peer.clockOffsetMs() / 1e3,
                        status.name()));
            }
            if (!peer.room()) {
                reasons.add("The disk of node " + peer.name() + " is nearly full"
                        + (peer.freeBytes() < 0
                                ? "."
                                : String.format(Locale.ROOT, " (%.1f GB free).", peer.freeBytes() / BYTES_PER_GB))
                        + " Make room.");
            }
        }
        return reasons;
    }

    /**
     * Returns a sentence about a certificate that ends within a month, or null.
     *
     * @param expiry the end of its validity
     * @param node   the name of its node
     * @param nowMs  the time in milliseconds since the epoch
     */
    public static @Nullable String ending(Instant expiry, String node, long nowMs) {
        return expiry.toEpochMilli() - nowMs > RENEWAL.toMillis()
                ? null
                : "The certificate of node " + node + " (--cluster-tls) expires on " + expiry
                        + ". Renew it with 'jitney cluster certificates --renew " + node
                        + "', and restart the node with it.";
    }

    private static void compare(NodeStatus.Peer peer, NodeStatus.@Nullable Peer leader, List<String> reasons) {
        if (leader == null || peer.name().equals(leader.name())) {
            return;
        }
        if (!peer.release().equals(leader.release())) {
            reasons.add("Node " + peer.name() + " runs release " + known(peer.release()) + ", and the leader "
                    + leader.name() + " runs " + known(leader.release()) + ". Complete the upgrade.");
            return; // another release may have other settings
        }
        Map<String, String> settings = peer.settings();
        List<String> different = SharedSettings.differences(settings, leader.settings());
        if (!different.isEmpty()) {
            reasons.add("Node " + peer.name() + " and the leader " + leader.name() + " have different settings: "
                    + String.join(", ", different) + ". Start all nodes with the same ones.");
        }
    }

    private static String known(String release) {
        return release.isEmpty() ? "an unknown one" : release;
    }

    static NodeStatus.@Nullable Peer peer(List<NodeStatus.Peer> peers, @Nullable String name) {
        return peers.stream()
                .filter(peer -> peer.name().equals(name))
                .findFirst()
                .orElse(null);
    }
}
