package dev.jitney.cluster.member;

import dev.jitney.cluster.ratis.RaftMember;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of the nodes. The members have agreed on theirs; the options of a node have addresses from before, with which it
 * finds the others (CL-51). So after members were added or removed, a node works until its options are brought up to date.
 *
 * <p>Any thread may call the methods.
 */
public final class Members {
    private final ClusterSettings settings;
    private volatile List<ClusterMember> agreed = List.of();
    private volatile @Nullable ClusterMember expected;

    /**
     * @param settings the settings of this node
     * @param known    the last members that this node knew before its start
     */
    public Members(ClusterSettings settings, List<RaftMember> known) {
        this.settings = settings;
        agreed(known);
    }

    /** Notes the members, as the log has them; an empty list changes nothing. */
    public void agreed(List<RaftMember> members) {
        if (!members.isEmpty()) {
            agreed = members.stream().map(this::node).toList();
        }
    }

    /** Notes the node that is being added, or null (CL-55). */
    public void expect(@Nullable ClusterMember node) {
        expected = node;
    }

    /** Returns whether a node is being added that has this name, and no member has it. */
    public boolean isExpected(String name) {
        ClusterMember added = expected;
        return added != null
                && added.name().equals(name)
                && agreed.stream().noneMatch(member -> member.name().equals(name));
    }

    private ClusterMember node(RaftMember member) {
        int port = member.nodePort();
        if (port == 0) {
            port = settings.members().stream()
                    .filter(node -> node.raftAddress().equals(member.address()))
                    .map(ClusterMember::nodePort)
                    .findFirst()
                    .orElse(member.raftPort() + 1);
        }
        return new ClusterMember(Membership.nameOf(member.identity()), member.host(), member.raftPort(), port);
    }

    /** Returns the members; before this node knows them, the nodes of its options. */
    public List<ClusterMember> all() {
        List<ClusterMember> members = agreed;
        return members.isEmpty() ? settings.members() : members;
    }

    /**
     * Returns the member with an identity.
     *
     * @throws IOException if this node knows no address of it
     */
    public ClusterMember identified(String identity) throws IOException {
        ClusterMember member = named(Membership.nameOf(identity));
        if (member == null) {
            throw new IOException("Expected a node with a known address, but got " + identity + ".");
        }
        return member;
    }

    /** Returns the members without this node, and the node that is being added. */
    public List<ClusterMember> others() {
        Map<String, ClusterMember> byName = new LinkedHashMap<>();
        all().forEach(member -> byName.put(member.name(), member));
        ClusterMember added = expected;
        if (added != null) {
            byName.put(added.name(), added);
        }
        byName.remove(settings.name());
        return List.copyOf(byName.values());
    }

    /** Returns all nodes at which this node may find its cluster: the members, and the others of its options. */
    public List<ClusterMember> toAsk() {
        List<ClusterMember> nodes = new ArrayList<>(agreed);
        for (ClusterMember node : settings.members()) {
            if (!nodes.contains(node)) {
                nodes.add(node);
            }
        }
        nodes.removeIf(node -> node.name().equals(settings.name()));
        return nodes;
    }

    /** Returns the node with a name, or null. The address on which the members have agreed comes first. */
    public @Nullable ClusterMember named(String name) {
        for (ClusterMember member : agreed) {
            if (member.name().equals(name)) {
                return member;
            }
        }
        ClusterMember added = expected;
        if (added != null && added.name().equals(name)) {
            return added;
        }
        return settings.members().stream()
                .filter(member -> member.name().equals(name))
                .findFirst()
                .orElse(null);
    }
}
