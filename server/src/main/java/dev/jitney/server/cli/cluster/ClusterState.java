package dev.jitney.server.cli.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jitney.model.ClientText;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The answer of {@code GET /cluster} on a node port (CL-81).
 *
 * @param json the answer on one line
 * @param node the name of the node that answered, empty if it is unknown
 * @param id the id of the cluster, empty if the node does not know it
 * @param level the level of the cluster, or 0 if the node runs a release without levels
 * @param nextLevel the level to which an upgrade would raise the cluster, or 0 if there is none
 * @param term the number of the leadership
 * @param lastTerm the term of the last entry in the log of the node that answered, if it takes part
 * @param lastIndex the index of this entry
 * @param leader the name of the leader, or null if there is none
 * @param reasons sentences about what needs attention
 * @param joining the nodes that are being added
 */
record ClusterState(
        String json,
        String node,
        String id,
        int level,
        int nextLevel,
        long term,
        OptionalLong lastTerm,
        OptionalLong lastIndex,
        @Nullable String leader,
        List<String> reasons,
        List<Member> members,
        List<Joining> joining) {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String IN_SYNC = "in sync";

    /**
     * One node.
     *
     * @param nodeAddress the address of its node port, or empty
     * @param role leader, follower, or empty
     * @param release its version, or empty
     * @param index the position in the log up to which it has applied entries
     * @param lagEntries the number of entries that it lacks
     * @param lastContactMs the time since its last answer in milliseconds
     * @param clockOffsetMs its clock minus the clock of the node that answered, in milliseconds
     * @param freeBytes free bytes of its fullest disk
     * @param doing a sentence about its current work or a fault, or empty
     * @param state its current activity, for example "in sync" or "away"
     */
    record Member(
            String name,
            String address,
            String nodeAddress,
            String role,
            String release,
            OptionalLong index,
            OptionalLong lagEntries,
            OptionalLong lastContactMs,
            OptionalLong clockOffsetMs,
            OptionalLong freeBytes,
            String state,
            String doing) {
        boolean isInSync() {
            return state.equals(IN_SYNC);
        }
    }

    /**
     * A node that is being added.
     *
     * @param doing a sentence about its current work, or empty
     */
    record Joining(String name, String doing) {}

    /** @throws IllegalArgumentException if the text is not such an answer */
    static ClusterState parse(String text) {
        try {
            JsonNode root = MAPPER.readTree(text);
            if (root == null || !root.path("members").isArray()) {
                throw new IllegalArgumentException(
                        "Expected the state of a cluster, but got something else. Is it a node port?");
            }
            List<Member> members = new ArrayList<>();
            for (JsonNode member : root.path("members")) {
                members.add(new Member(
                        text(member, "name"),
                        text(member, "address"),
                        text(member, "nodeAddress"),
                        text(member, "role"),
                        text(member, "release"),
                        number(member, "index"),
                        number(member, "lagEntries"),
                        number(member, "lastContactMs"),
                        number(member, "clockOffsetMs"),
                        number(member, "freeBytes"),
                        text(member, "state"),
                        text(member, "doing")));
            }
            List<String> reasons = new ArrayList<>();
            root.path("reasons").forEach(reason -> reasons.add(ClientText.oneLine(reason.asText(""))));
            List<Joining> joining = new ArrayList<>();
            root.path("joining").forEach(node -> joining.add(new Joining(text(node, "name"), text(node, "doing"))));
            String leader = text(root, "leader");
            return new ClusterState(
                    MAPPER.writeValueAsString(root),
                    text(root, "node"),
                    text(root, "id"),
                    root.path("level").asInt(0),
                    root.path("nextLevel").asInt(0),
                    root.path("term").asLong(0),
                    number(root, "lastTerm"),
                    number(root, "lastIndex"),
                    leader.isEmpty() ? null : leader,
                    List.copyOf(reasons),
                    List.copyOf(members),
                    List.copyOf(joining));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Expected JSON, but got something else. Is it a node port?", e);
        }
    }

    /** Returns a member, or null if there is none of this name. */
    @Nullable
    Member member(String name) {
        return members.stream()
                .filter(member -> member.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** Returns the address of the leader's node port, or null if this node does not know it or is the leader itself. */
    @Nullable
    NodeAddress otherLeader() {
        return leader == null || leader.equals(node) ? null : leaderAddress();
    }

    /** Returns the address of the leader's node port, or null if it is unknown. */
    @Nullable
    NodeAddress leaderAddress() {
        Member member = leader == null ? null : member(leader);
        try {
            return member == null || member.nodeAddress().isEmpty() ? null : NodeAddress.parse(member.nodeAddress());
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Returns whether there is a leader and all members are in sync. */
    boolean isWhole() {
        return leader != null && members.stream().allMatch(Member::isInSync);
    }

    /** Returns a text that a terminal cannot interpret. */
    private static String text(JsonNode node, String name) {
        return ClientText.oneLine(node.path(name).asText(""));
    }

    private static OptionalLong number(JsonNode node, String name) {
        JsonNode value = node.path(name);
        return value.isIntegralNumber() ? OptionalLong.of(value.longValue()) : OptionalLong.empty();
    }
}
