package dev.jitney.cluster.node;

import dev.jitney.cluster.ratis.RaftMember;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.StringJoiner;
import java.util.UUID;

/**
 * The part of a node in a cluster.
 *
 * @param cluster  the id of the cluster (CL-53)
 * @param identity the identity of this node (CL-50)
 * @param founders the members if the log is empty
 */
record Membership(UUID cluster, String identity, List<RaftMember> founders) {
    private static final char SEPARATOR = '.';

    /** Returns the membership of a node whose members never change: their names are the identities. */
    static Membership fixed(ClusterSettings settings) {
        StringJoiner names = new StringJoiner(",", "jitney:", "");
        settings.members().forEach(member -> names.add(member.name()));
        return new Membership(
                UUID.nameUUIDFromBytes(names.toString().getBytes(StandardCharsets.UTF_8)),
                settings.name(),
                settings.members().stream()
                        .map(member -> new RaftMember(member.name(), member.raftAddress()))
                        .toList());
    }

    /** Returns the name of the node with an identity. */
    static String nameOf(String identity) {
        int end = identity.indexOf(SEPARATOR);
        return end < 0 ? identity : identity.substring(0, end);
    }
}
