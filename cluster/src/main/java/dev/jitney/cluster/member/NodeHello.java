package dev.jitney.cluster.member;

import dev.jitney.cluster.ratis.RaftMember;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The introduction of a node to another one.
 *
 * @param name     its name
 * @param identity its identity
 * @param nodes    the names of the members in its settings, in their order
 * @param stores   its number of stores
 * @param cluster  the id of its cluster, or null if it belongs to none
 * @param members  the members it knows: those of the current configuration, or the founders
 * @param leads    whether it leads and has applied all entries of earlier terms
 * @param term     its term, or an earlier one if it changes
 * @param matches  on the leader, by identity, the last entry that a member has acknowledged to it (CL-50)
 * @param condition its condition
 */
public record NodeHello(
        String name,
        String identity,
        String nodes,
        int stores,
        @Nullable UUID cluster,
        List<RaftMember> members,
        boolean leads,
        long term,
        Map<String, Long> matches,
        NodeCondition condition) {
    public NodeHello {
        matches = Map.copyOf(matches);
    }

    /** Returns the last entry that a member has acknowledged to this node, or -1 if this node does not lead or knows none. */
    public long acknowledged(String member) {
        return matches.getOrDefault(member, -1L);
    }

    /** Returns whether both nodes belong to the same cluster (CL-53). */
    public boolean isOfSameCluster(NodeHello other) {
        return cluster != null && cluster.equals(other.cluster);
    }

    public boolean hasMember(String other) {
        return members.stream().anyMatch(member -> member.identity().equals(other));
    }

    public byte[] bytes() {
        NodeText text = new NodeText()
                .put("name", name)
                .put("identity", identity)
                .put("nodes", nodes)
                .put("stores", "" + stores)
                .put("cluster", cluster == null ? "" : cluster.toString());
        Membership.addTo(text, "members", members)
                .put("leads", "" + leads)
                .put("term", "" + term)
                .put("matches", text(matches));
        return condition.addTo(text).bytes();
    }

    public static NodeHello parse(byte[] bytes) throws IOException {
        NodeText text = NodeText.parse(bytes);
        NodeHello hello = new NodeHello(
                text.get("name"),
                Membership.identity(text.get("identity")),
                text.get("nodes"),
                text.smallNumber("stores"),
                Membership.uuid(text.get("cluster")),
                Membership.members(text, "members"),
                text.isTrue("leads"),
                text.number("term"),
                matches(text),
                NodeCondition.of(text));
        if (!Membership.nameOf(hello.identity).equals(hello.name)) {
            throw new IOException("Expected an identity of node '" + hello.name + "'.");
        }
        return hello;
    }

    private static String text(Map<String, Long> matches) {
        StringJoiner all = new StringJoiner(",");
        matches.forEach((identity, index) -> all.add(identity + "=" + index));
        return all.toString();
    }

    /** Reads the acknowledged entries. Nodes of earlier releases do not send them. */
    private static Map<String, Long> matches(NodeText text) throws IOException {
        Map<String, Long> matches = new HashMap<>();
        if (!text.has("matches") || text.get("matches").isEmpty()) {
            return matches;
        }
        for (String match : text.get("matches").split(",", 2 * ClusterMember.MEMBERS_MAX)) {
            int equals = match.indexOf('=');
            try {
                matches.put(
                        Membership.identity(match.substring(0, Math.max(0, equals))),
                        Long.valueOf(match.substring(equals + 1)));
            } catch (NumberFormatException e) {
                throw new IOException("Expected the acknowledged entries of members, but got something else.", e);
            }
        }
        return matches;
    }
}
