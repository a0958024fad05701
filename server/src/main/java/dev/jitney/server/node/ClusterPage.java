package dev.jitney.server.node;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.cluster.node.NodeStatus;
import dev.jitney.cluster.ratis.LogPoint;
import dev.jitney.runtime.store.FormatLevels;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The state of a cluster as {@code GET /cluster} on the node port returns it (CL-81). */
public final class ClusterPage {
    private static final JsonMapper JSON = new JsonMapper();

    private ClusterPage() {}

    /**
     * Returns the page.
     *
     * @param id      the id of the cluster, or an empty text
     * @param last    the last entry in the log of this node
     * @param peers   this node and the others that have answered lately
     * @param nodes   the members with their addresses, and the node that is being added
     * @param health  the health of this node
     * @param release the version of this program
     */
    public static String of(
            String id,
            NodeStatus status,
            LogPoint last,
            List<NodeStatus.Peer> peers,
            List<ClusterMember> nodes,
            NodeHealth health,
            String release) {
        ObjectNode page = JSON.createObjectNode();
        page.put("id", id);
        page.put("node", status.name());
        page.put("role", status.role().name().toLowerCase(Locale.ROOT));
        page.put("level", level(status, peers));
        Integer next = nextLevel(status, peers);
        if (next != null) {
            page.put("nextLevel", next);
        }
        page.put("term", status.term());
        page.put("leader", status.leader());
        page.put("release", release);
        page.put("applied", status.applied());
        page.put("committed", status.committed());
        if (last.index() >= 0) {
            page.put("lastTerm", last.term());
            page.put("lastIndex", last.index());
        }
        page.put("remark", status.remark());
        page.put("leaderChanges", status.leaderChanges());
        page.put("restarts", status.restarts());
        page.put("entries", status.entries());
        page.put("entryBytes", status.entryBytes());
        page.put("skipped", status.skipped());
        page.put("logBytes", status.logBytes());
        page.put("health", health.status().name().toLowerCase(Locale.ROOT));
        ArrayNode reasons = page.putArray("reasons");
        health.reasons().forEach(reasons::add);
        ArrayNode members = page.putArray("members");
        List<NodeStatus.Member> byName = status.members().stream()
                .sorted(Comparator.comparing(NodeStatus.Member::name))
                .toList();
        for (NodeStatus.Member member : byName) {
            ObjectNode one = members.addObject();
            one.put("name", member.name());
            one.put("address", member.address());
            nodes.stream()
                    .filter(node -> node.name().equals(member.name()))
                    .findFirst()
                    .ifPresent(node -> one.put("nodeAddress", node.host() + ":" + node.nodePort()));
            one.put("role", member.leads() ? "leader" : "follower");
            one.put("index", member.position());
            one.put("lagEntries", member.lag());
            one.put("behindMs", member.behindMs());
            one.put("lastContactMs", member.lastContactMs());
            one.put("state", state(status, member));
            NodeStatus.Peer peer = NodeReasons.peer(peers, member.name());
            if (peer != null) {
                one.put("release", peer.release());
                one.put("lowestLevel", peer.levels().supported().lowest());
                one.put("highestLevel", peer.levels().supported().highest());
                one.put("clockOffsetMs", peer.clockOffsetMs());
                one.put("freeBytes", peer.freeBytes());
                one.put("room", peer.room());
                one.put("doing", peer.doing());
            }
        }
        addJoining(page.putArray("joining"), status, peers, nodes);
        return page.toString();
    }

    /** Returns the level of the cluster, as the leader and this node have applied it (CL-60). */
    private static int level(NodeStatus status, List<NodeStatus.Peer> peers) {
        int level = FormatLevels.FIRST;
        for (NodeStatus.Peer peer : peers) {
            if (peer.name().equals(status.name()) || peer.name().equals(status.leader())) {
                level = Math.max(level, peer.levels().current());
            }
        }
        return level;
    }

    /** Returns the level to which an upgrade would raise the cluster, or null if there is none or a member does not answer (CL-61). */
    private static @Nullable Integer nextLevel(NodeStatus status, List<NodeStatus.Peer> peers) {
        int common = Integer.MAX_VALUE;
        for (NodeStatus.Member member : status.members()) {
            NodeStatus.Peer peer = NodeReasons.peer(peers, member.name());
            common = Math.min(
                    common, peer == null ? 0 : peer.levels().supported().highest());
        }
        return status.members().isEmpty() || common <= level(status, peers) ? null : common;
    }

    /** Adds the nodes that are no members yet (CL-55). */
    private static void addJoining(
            ArrayNode joining, NodeStatus status, List<NodeStatus.Peer> peers, List<ClusterMember> nodes) {
        for (ClusterMember node : nodes) {
            boolean member =
                    status.members().stream().anyMatch(each -> each.name().equals(node.name()));
            NodeStatus.Peer peer = NodeReasons.peer(peers, node.name());
            if (!member && status.role() == NodeStatus.Role.LEADER) {
                joining.addObject()
                        .put("name", node.name())
                        .put("address", node.raftAddress())
                        .put("nodeAddress", node.host() + ":" + node.nodePort())
                        .put("release", peer == null ? "" : peer.release())
                        .put("doing", peer == null ? "It has not answered yet." : peer.doing());
            }
        }
    }

    /** Returns in words what a member does, as far as this node knows. */
    public static String state(NodeStatus status, NodeStatus.Member member) {
        if (member.leads()) {
            return "in sync";
        }
        if (status.role() != NodeStatus.Role.LEADER) {
            return "unknown";
        }
        if (NodeStatus.isAway(member.lastContactMs())) {
            return "away";
        }
        return NodeStatus.isInSync(member.lag(), member.behindMs(), member.lastContactMs()) ? "in sync" : "catching up";
    }
}
