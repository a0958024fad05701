package dev.jitney.testing.process;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The state of a cluster as one node sees it: the answer of {@code GET /cluster} on its node port (CL-81).
 *
 * @param node the node that answered
 * @param role its role: leader, follower, seeking, joining or stopped
 * @param leader the name of the leader, or null if there is none
 * @param members all nodes
 */
public record ClusterView(
        String node, String role, long term, @Nullable String leader, List<Member> members) {
    private static final Pattern TERM = Pattern.compile("\"term\":(\\d+)");
    private static final Pattern LEADER = Pattern.compile("\"leader\":\"([^\"]+)\"");
    private static final Pattern MEMBER = Pattern.compile("\\{[^{}]*\"name\"[^{}]*}");

    /**
     * One node.
     *
     * @param index its position in the log, or -1 if it is unknown
     * @param lagEntries the number of entries that it lacks, or -1 if it is unknown
     */
    public record Member(String name, String state, long index, long lagEntries) {}

    static ClusterView parse(String json) {
        List<Member> members = new ArrayList<>();
        Matcher member = MEMBER.matcher(json);
        while (member.find()) {
            members.add(new Member(
                    text(member.group(), "name"),
                    text(member.group(), "state"),
                    number(member.group(), "index"),
                    number(member.group(), "lagEntries")));
        }
        Matcher term = TERM.matcher(json);
        Matcher leader = LEADER.matcher(json);
        return new ClusterView(
                text(json, "node"),
                text(json, "role"),
                term.find() ? Long.parseLong(term.group(1)) : 0,
                leader.find() ? leader.group(1) : null,
                List.copyOf(members));
    }

    /** Returns whether the node leads, as far as it knows. Only a leader knows the states of the others. */
    public boolean isOfLeader() {
        return node.equals(leader);
    }

    /** Returns whether the node takes part. A node with an empty disk does not until the cluster has taken it in. */
    public boolean isOfMember() {
        return role.equals("leader") || role.equals("follower");
    }

    /** Returns whether there is a leader and all nodes are in sync. */
    public boolean isWhole() {
        return leader != null
                && !members.isEmpty()
                && members.stream().allMatch(member -> member.state.equals("in sync"));
    }

    /** Returns whether all nodes are in sync and at the same position. */
    public boolean isLevel() {
        return isWhole() && members.stream().map(Member::index).distinct().count() == 1;
    }

    private static String text(String object, String name) {
        Matcher found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(object);
        return found.find() ? found.group(1) : "";
    }

    private static long number(String object, String name) {
        Matcher found = Pattern.compile("\"" + name + "\":(-?\\d+)").matcher(object);
        return found.find() ? Long.parseLong(found.group(1)) : -1;
    }
}
