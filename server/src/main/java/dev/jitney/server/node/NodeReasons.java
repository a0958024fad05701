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

    private static final long REFUSED_MS = 3_000;

    private static final double BYTES_PER_GB = 1e9;
    private static final Duration RENEWAL = Duration.ofDays(30);

    private NodeReasons() {}

    /** The kinds of reasons, as the metrics name them in lower case. */
    public enum Kind {
        /** The cluster has two nodes only. */
        TWO_NODES,
        /** The nodes of different machines connect without TLS. */
        PLAIN,
        /** This node waits, receives a checkpoint, or should not lead. */
        NODE,
        /** A member is away or catching up. */
        MEMBER,
        /** Nodes run different releases. */
        RELEASE,
        /** Nodes have different settings. */
        SETTINGS,
        /** Clocks differ. */
        CLOCK,
        /** A disk is nearly full. */
        DISK,
        /** A certificate for TLS between nodes ends soon, or does not fit. */
        CERTIFICATE
    }

    /**
     * A reason.
     *
     * @param text sentences with the fault and the action
     */
    public record Reason(Kind kind, String text) {}

    /**
     * Returns all reasons.
     *
     * @param status    the state of this node
     * @param peers     this node and the others that have answered lately
     * @param secured   whether the nodes use TLS, or only loopback addresses
     */
    public static List<Reason> of(NodeStatus status, List<NodeStatus.Peer> peers, boolean secured) {
        List<Reason> reasons = new ArrayList<>();
        if (status.members().size() == 2) {
            reasons.add(new Reason(
                    Kind.TWO_NODES, "The cluster has two nodes only and survives no loss. Add a third node."));
        }
        if (!secured) {
            reasons.add(
                    new Reason(
                            Kind.PLAIN,
                            "The nodes connect without TLS (--cluster-plain). Use a private network for them, or --cluster-tls."));
        }
        if (status.remark() != null) {
            reasons.add(new Reason(Kind.NODE, "Node " + status.name() + ": " + status.remark()));
        }
        for (NodeStatus.Member member : status.members()) {
            String text = member(ClusterPage.state(status, member), member, peer(peers, member.name()));
            if (text != null) {
                reasons.add(new Reason(Kind.MEMBER, text));
            }
        }
        NodeStatus.Peer leader = peer(peers, status.leader());
        for (NodeStatus.Peer peer : peers) {
            compare(peer, leader, reasons);
            if (Math.abs(peer.clockOffsetMs()) > CLOCKS_MS) {
                reasons.add(new Reason(
                        Kind.CLOCK,
                        String.format(
                                Locale.ROOT,
                                "The clock of node %s differs by %.1f s from that of node %s. Synchronize the clocks, for example by NTP.",
                                peer.name(),
                                peer.clockOffsetMs() / 1e3,
                                status.name())));
            }
            if (!peer.room()) {
                reasons.add(new Reason(
                        Kind.DISK,
                        "The disk of node " + peer.name() + " is nearly full"
                                + (peer.freeBytes() < 0
                                        ? "."
                                        : String.format(
                                                Locale.ROOT, " (%.1f GB free).", peer.freeBytes() / BYTES_PER_GB))
                                + " Make room."));
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
                        + "'; no restart is needed.";
    }

    /**
     * Returns a sentence about clients of a follower that its leader does not serve, or null (CL-80). A leader that has just been elected
     * refuses them for a moment.
     *
     * @param node      the follower
     * @param leader    the leader
     * @param refusedMs milliseconds for which the leader has refused all connections, or 0
     */
    public static @Nullable String refused(String node, String leader, long refusedMs) {
        return refusedMs <= REFUSED_MS
                ? null
                : "Node " + leader + " leads, but has refused all connections that node " + node
                        + " passed on to it for "
                        + duration(refusedMs) + ". Make the node port of " + leader + " reachable from " + node
                        + ", and look at the health and the log of " + leader + ".";
    }

    /**
     * Returns sentences about a node that knows no leader (CL-80). The members count, and not the nodes of the options, which may be those
     * from before nodes were added or removed.
     *
     * @param status     the state of the node
     * @param configured the number of nodes in its options, for a node that does not know the members
     * @param forMs      the time without a leader in milliseconds
     * @param peers      the nodes that have answered lately
     */
    public static String leaderless(NodeStatus status, int configured, long forMs, List<NodeStatus.Peer> peers) {
        int nodes = status.members().isEmpty() ? configured : status.members().size();
        List<String> answering = peers.stream()
                .map(NodeStatus.Peer::name)
                .filter(name -> !name.equals(status.name()))
                .toList();
        return "No node has led the cluster for " + duration(forMs) + ". A majority of the nodes (" + (nodes / 2 + 1)
                + " of "
                + nodes + ") must run and reach each other. "
                + (answering.isEmpty()
                        ? "No other node answers node " + status.name() + "."
                        : "Node " + status.name() + " gets answers of " + String.join(", ", answering) + ".");
    }

    /** Returns a sentence about a member that is not in sync, or null. */
    private static @Nullable String member(String state, NodeStatus.Member member, NodeStatus.@Nullable Peer peer) {
        if (state.equals("catching up")) {
            return String.format(
                    Locale.ROOT,
                    "Node %s is catching up: it lacks %,d entries, and has been behind for %s. Wait; if the number does not fall,"
                            + " check its disk and its network.",
                    member.name(),
                    member.lag(),
                    duration(member.behindMs()));
        }
        if (!state.equals("away")) {
            return null;
        }
        if (peer != null && !peer.doing().isEmpty()) {
            return "Node " + member.name() + away(member) + ": " + peer.doing();
        }
        if (peer != null) {
            return "Node " + member.name() + away(member) + ", but its node port answers. Make its replication port "
                    + member.address() + " reachable from this node, and the ports of this node from there.";
        }
        return "Node " + member.name() + away(member)
                + ". Start it if it does not run, otherwise check its machine and its network.";
    }

    private static String away(NodeStatus.Member member) {
        return member.lastContactMs() < 0 ? " is away" : " has been away for " + duration(member.lastContactMs());
    }

    /** Returns a duration in words, such as 12 s or 3 min. */
    public static String duration(long ms) {
        long seconds = ms / 1_000;
        if (seconds < 120) {
            return seconds + " s";
        }
        long minutes = seconds / 60;
        return minutes < 120 ? minutes + " min" : minutes / 60 + " h";
    }

    private static void compare(NodeStatus.Peer peer, NodeStatus.@Nullable Peer leader, List<Reason> reasons) {
        if (leader == null || peer.name().equals(leader.name())) {
            return;
        }
        if (!peer.release().equals(leader.release())) {
            reasons.add(new Reason(
                    Kind.RELEASE,
                    "Node " + peer.name() + " runs release " + known(peer.release()) + ", and the leader "
                            + leader.name() + " runs " + known(leader.release()) + ". Complete the upgrade."));
            return; // another release may have other settings
        }
        Map<String, String> settings = peer.settings();
        List<String> different = SharedSettings.differences(settings, leader.settings());
        if (!different.isEmpty()) {
            reasons.add(new Reason(
                    Kind.SETTINGS,
                    "Node " + peer.name() + " and the leader " + leader.name() + " have different settings: "
                            + String.join(", ", different) + ". Start all nodes with the same ones."));
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
