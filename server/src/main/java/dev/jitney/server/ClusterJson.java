package dev.jitney.server;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jitney.cluster.node.NodeStatus;

/** The state of a cluster as {@code GET /cluster} on the node port returns it (CL-81). */
final class ClusterJson {
    private static final JsonMapper JSON = new JsonMapper();

    private ClusterJson() {}

    static String of(NodeStatus status) {
        ObjectNode page = JSON.createObjectNode();
        page.put("node", status.name());
        page.put("role", status.role().name().toLowerCase(java.util.Locale.ROOT));
        page.put("term", status.term());
        page.put("leader", status.leader());
        page.put("release", BuildInfo.version());
        page.put("applied", status.applied());
        page.put("committed", status.committed());
        page.put("stopped", status.stopped());
        page.put("leaderChanges", status.leaderChanges());
        page.put("restarts", status.restarts());
        page.put("entries", status.entries());
        page.put("entryBytes", status.entryBytes());
        page.put("skipped", status.skipped());
        page.put("logBytes", status.logBytes());
        ArrayNode members = page.putArray("members");
        for (NodeStatus.Member member : status.members()) {
            ObjectNode one = members.addObject();
            one.put("name", member.name());
            one.put("address", member.address());
            one.put("role", member.leads() ? "leader" : "follower");
            one.put("index", member.position());
            one.put("lagEntries", member.lag());
            one.put("lastContactMs", member.lastContactMs());
            one.put("state", state(status, member));
        }
        return page.toString();
    }

    static String state(NodeStatus status, NodeStatus.Member member) {
        if (member.leads()) {
            return "leads";
        }
        if (status.role() != NodeStatus.Role.LEADER) {
            return "unknown";
        }
        if (member.lastContactMs() < 0 || member.lastContactMs() > AWAY_MS) {
            return "away";
        }
        return member.lag() <= LAG_IN_SYNC ? "in sync" : "catching up";
    }

    /** The time without an answer after which a member counts as away. */
    static final long AWAY_MS = 3_000;

    /** The number of entries that a member in sync may lack: those that are on their way. */
    static final long LAG_IN_SYNC = 1_000;
}
