package dev.jitney.cluster.node;

import dev.jitney.cluster.ratis.RaftMember;
import java.io.IOException;
import java.util.List;
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
 * @param term     its term
 * @param condition its condition
 */
record NodeHello(
        String name,
        String identity,
        String nodes,
        int stores,
        @Nullable UUID cluster,
        List<RaftMember> members,
        boolean leads,
        long term,
        NodeCondition condition) {

    boolean hasMember(String other) {
        return members.stream().anyMatch(member -> member.identity().equals(other));
    }

    byte[] bytes() {
        NodeText text = new NodeText()
                .put("name", name)
                .put("identity", identity)
                .put("nodes", nodes)
                .put("stores", "" + stores)
                .put("cluster", cluster == null ? "" : cluster.toString())
                .put("members", Membership.text(members))
                .put("leads", "" + leads)
                .put("term", "" + term);
        return condition.addTo(text).bytes();
    }

    static NodeHello parse(byte[] bytes) throws IOException {
        NodeText text = NodeText.parse(bytes);
        NodeHello hello = new NodeHello(
                text.get("name"),
                Membership.identity(text.get("identity")),
                text.get("nodes"),
                text.smallNumber("stores"),
                Membership.uuid(text.get("cluster")),
                Membership.members(text.get("members")),
                text.isTrue("leads"),
                text.number("term"),
                NodeCondition.of(text));
        if (!Membership.nameOf(hello.identity).equals(hello.name)) {
            throw new IOException("Expected an identity of node '" + hello.name + "'.");
        }
        return hello;
    }
}
