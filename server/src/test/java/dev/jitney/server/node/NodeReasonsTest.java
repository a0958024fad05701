package dev.jitney.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jitney.cluster.member.ClusterMember;
import dev.jitney.cluster.member.NodeLevels;
import dev.jitney.cluster.node.NodeStatus;
import dev.jitney.cluster.ratis.LogPoint;
import dev.jitney.runtime.store.FormatLevels;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NodeReasonsTest {
    private static final NodeStatus WELL =
            status(null, member("a", true, 0, 0), member("b", false, 3, 20), member("c", false, 0, 30));
    private static final Map<String, String> SETTINGS = settings(1, 1_000, "config", "key");

    private static NodeStatus status(@Nullable String remark, NodeStatus.Member... members) {
        return new NodeStatus(
                "a", NodeStatus.Role.LEADER, 5, "a", 100, 100, List.of(members), remark, 1, 0, 10, 20, 0, 30);
    }

    private static NodeStatus.Member member(String name, boolean leads, long lag, long contactMs) {
        return behind(name, leads, lag, 10 * lag, contactMs);
    }

    private static NodeStatus.Member behind(String name, boolean leads, long lag, long behindMs, long contactMs) {
        return new NodeStatus.Member(name, "h:1", leads, 100 - lag, lag, behindMs, contactMs);
    }

    private static NodeStatus.Peer peer(
            String name, String release, long offsetMs, boolean room, Map<String, String> of) {
        return new NodeStatus.Peer(name, release, offsetMs, room, 1_500_000_000L, "", of, NodeLevels.UNKNOWN);
    }

    private static Map<String, String> settings(int stores, int electionMs, String config, String key) {
        return SharedSettings.digests(List.of(), electionMs, stores, config, key, false, "");
    }

    private static List<String> reasons(NodeStatus status, NodeStatus.Peer... peers) {
        return texts(NodeReasons.of(status, List.of(peers), true));
    }

    private static List<String> texts(List<NodeReasons.Reason> reasons) {
        return reasons.stream().map(NodeReasons.Reason::text).toList();
    }

    @Test
    @DisplayName("CL-80: a cluster of three equal nodes in sync needs no attention")
    void well() {
        assertThat(reasons(
                        WELL, peer("a", "1", 0, true, SETTINGS), peer("b", "1", 2_000, true, new HashMap<>(SETTINGS))))
                .isEmpty();
    }

    @Test
    @DisplayName("CL-31, CL-80: settings that differ from the leader's are named by their options, and no others")
    void settingsDiffer() {
        assertThat(reasons(
                        WELL,
                        peer("a", "1", 0, true, SETTINGS),
                        peer("b", "1", 0, true, settings(2, 1_000, "other", "key"))))
                .containsExactly("Node b and the leader a have different settings: --config, --stores. Start all nodes"
                        + " with the same ones.");
        assertThat(SETTINGS.values()).allMatch(digest -> digest.matches("[0-9a-f]{8}"));
        assertThat(SETTINGS.keySet()).noneMatch(option -> option.contains(" ") || option.contains("="));
    }

    @Test
    @DisplayName("CL-80, CL-81: members away or behind, clocks, disks, releases and missing TLS are reasons")
    void allReasons() {
        NodeStatus status = status(
                "It receives a checkpoint.",
                member("a", true, 0, 0),
                member("b", false, 5_000, 10),
                member("c", false, 0, 9_000));
        List<NodeReasons.Reason> reasons = NodeReasons.of(
                status,
                List.of(
                        peer("a", "1", 0, false, SETTINGS),
                        peer("b", "2", -2_500, true, Map.of()),
                        peer("c", "1", 0, true, SETTINGS)),
                false);
        assertThat(reasons.stream().map(NodeReasons.Reason::kind))
                .containsExactlyInAnyOrder(
                        NodeReasons.Kind.PLAIN,
                        NodeReasons.Kind.NODE,
                        NodeReasons.Kind.MEMBER,
                        NodeReasons.Kind.MEMBER,
                        NodeReasons.Kind.DISK,
                        NodeReasons.Kind.RELEASE,
                        NodeReasons.Kind.CLOCK);
        assertThat(texts(reasons))
                .containsExactly(
                        "The nodes connect without TLS (--cluster-plain). Use a private network for them, or"
                                + " --cluster-tls.",
                        "Node a: It receives a checkpoint.",
                        "Node b is catching up: it lacks 5,000 entries, and has been behind for 50 s. Wait; if the"
                                + " number does not fall, check its disk and its network.",
                        "Node c has been away for 9 s, but its node port answers. Make its replication port h:1"
                                + " reachable from this node, and the ports of this node from there.",
                        "The disk of node a is nearly full (1.5 GB free). Make room.",
                        "Node b runs release 2, and the leader a runs 1. Complete the upgrade.",
                        "The clock of node b differs by -2.5 s from that of node a. Synchronize the clocks, for"
                                + " example by NTP.");
    }

    @Test
    @DisplayName("CL-80, CL-81: a member that answers and stands still is catching up, also if it lacks few entries")
    void standsStill() {
        assertThat(reasons(status(
                        null,
                        member("a", true, 0, 0),
                        behind("b", false, 3, 5_000, 20),
                        behind("c", false, 3, 125_000, 20))))
                .containsExactly(
                        "Node c is catching up: it lacks 3 entries, and has been behind for 2 min. Wait; if the"
                                + " number does not fall, check its disk and its network.");
    }

    @Test
    @DisplayName("CL-57, CL-80: two members are allowed, and survive no loss; a single one is as it was meant")
    void twoMembers() {
        assertThat(reasons(status(null, member("a", true, 0, 0), member("b", false, 0, 10))))
                .containsExactly("The cluster has two nodes only and survives no loss. Add a third node.");
        assertThat(reasons(status(null, member("a", true, 0, 0)))).isEmpty();
    }

    @Test
    @DisplayName("CL-55, CL-81: a node that is being added is shown with its activity, on the leader")
    void joining() throws Exception {
        NodeStatus.Peer d = new NodeStatus.Peer(
                "d", "0.4", 0, true, 123, "It receives a checkpoint, 7 % of it.", Map.of(), NodeLevels.UNKNOWN);
        JsonNode page = new ObjectMapper()
                .readTree(ClusterPage.of(
                        "7f3a",
                        WELL,
                        LogPoint.START,
                        List.of(peer("a", "0.4", 0, true, SETTINGS), d),
                        ClusterMember.parse("a=127.0.0.1:1,b=127.0.0.1:3,c=127.0.0.1:5,d=127.0.0.1:7"),
                        NodeHealth.HEALTHY,
                        "0.4"));
        assertThat(page.get("members")).hasSize(3);
        assertThat(page.get("joining")).hasSize(1);
        assertThat(page.get("joining").get(0).get("name").asText()).isEqualTo("d");
        assertThat(page.get("joining").get(0).get("doing").asText()).startsWith("It receives a checkpoint, 7 %");
    }

    @Test
    @DisplayName(
            "CL-80: a follower whose leader refuses its connections for more than three seconds does not serve its clients")
    void refused() {
        assertThat(NodeReasons.refused("b", "a", 0)).isNull();
        assertThat(NodeReasons.refused("b", "a", 3_000)).isNull();
        assertThat(NodeReasons.refused("b", "a", 4_100))
                .startsWith("Node a leads, but has refused all connections that node b passed on to it for 4 s.");
    }

    @Test
    @DisplayName(
            "CL-80: without a leader, the health says how many of the members must run; added and removed nodes count")
    void leaderless() {
        NodeStatus grown = status(
                null,
                member("a", false, 0, 0),
                member("b", false, 0, 0),
                member("c", false, 0, 0),
                member("d", false, 0, 0),
                member("e", false, 0, 0));
        NodeStatus.Peer self = peer("a", "0.4", 0, true, SETTINGS);
        assertThat(NodeReasons.leaderless(grown, 3, 13_000, List.of(self)))
                .isEqualTo(
                        "No node has led the cluster for 13 s. A majority of the nodes (3 of 5) must run and reach each"
                                + " other. No other node answers node a.");
        assertThat(NodeReasons.leaderless(status(null), 3, 13_000, List.of(self, peer("b", "0.4", 0, true, SETTINGS))))
                .contains("(2 of 3)")
                .endsWith("Node a gets answers of b.");
    }

    private static NodeStatus.Peer levels(String name, int highest, int current) {
        NodeLevels levels = new NodeLevels(new FormatLevels(1, highest), current);
        return new NodeStatus.Peer(name, "0.5", 0, true, 1, "", SETTINGS, levels);
    }

    private static JsonNode pageWith(NodeStatus.Peer... peers) throws IOException {
        return new ObjectMapper()
                .readTree(ClusterPage.of(
                        "7f3a", WELL, LogPoint.START, List.of(peers), List.of(), NodeHealth.HEALTHY, "0.5"));
    }

    @Test
    @DisplayName("CL-61, CL-81: the state of the cluster has the level, and the next one if all members support it")
    void levels() throws Exception {
        JsonNode mixed = pageWith(levels("a", 2, 1), levels("b", 1, 1), levels("c", 2, 1));
        assertThat(mixed.get("level").asInt()).isEqualTo(1);
        assertThat(mixed.has("nextLevel")).isFalse();
        assertThat(mixed.get("members").get(1).get("highestLevel").asInt()).isEqualTo(1);

        assertThat(pageWith(levels("a", 2, 1), levels("b", 2, 1)).has("nextLevel"))
                .as("a member does not answer")
                .isFalse();
        assertThat(pageWith(levels("a", 2, 1), levels("b", 3, 1), levels("c", 2, 1))
                        .get("nextLevel")
                        .asInt())
                .isEqualTo(2);
        JsonNode raised = pageWith(levels("a", 2, 2), levels("b", 2, 1), levels("c", 2, 2));
        assertThat(raised.get("level").asInt()).isEqualTo(2);
        assertThat(raised.has("nextLevel")).isFalse();
    }

    @Test
    @DisplayName("CL-81: the reason of a member that is away says for how long, and what it says itself or what to do")
    void away() {
        NodeStatus status =
                status(null, member("a", true, 0, 0), member("b", false, 0, 200_000), member("c", false, 0, 10));
        assertThat(reasons(status, peer("a", "1", 0, true, SETTINGS)))
                .containsExactly(
                        "Node b has been away for 3 min. Start it if it does not run, otherwise check its machine and"
                                + " its network.");
        assertThat(reasons(
                        status,
                        peer("a", "1", 0, true, SETTINGS),
                        new NodeStatus.Peer(
                                "b", "1", 0, true, 1, "Its log is damaged. Repair it.", SETTINGS, NodeLevels.UNKNOWN)))
                .containsExactly("Node b has been away for 3 min: Its log is damaged. Repair it.");
        assertThat(NodeReasons.duration(119_999)).isEqualTo("119 s");
        assertThat(NodeReasons.duration(7_200_000)).isEqualTo("2 h");
    }

    @Test
    @DisplayName("CL-80, CL-43: a leader whose disk is full is degraded and not unhealthy, because its clients receive")
    void fullDisk() {
        assertThat(NodeHealth.of("The disk is full.", true, List.of("Make room.")))
                .isEqualTo(new NodeHealth(NodeHealth.Status.DEGRADED, List.of("The disk is full.", "Make room.")));
        assertThat(NodeHealth.of("No node leads.", false, List.of("Make room.")))
                .isEqualTo(new NodeHealth(NodeHealth.Status.UNHEALTHY, List.of("No node leads.")));
        assertThat(NodeHealth.of(null, false, List.of())).isEqualTo(NodeHealth.HEALTHY);
    }

    @Test
    @DisplayName(
            "CL-56, CL-81: the state of the cluster has its id, the last entry of the node, and for each member release, clock, room and activity")
    void page() throws Exception {
        NodeStatus.Peer b = new NodeStatus.Peer(
                "b", "0.4", -7, true, 123, "It receives a checkpoint, 7 % of it.", Map.of(), NodeLevels.UNKNOWN);
        JsonNode page = new ObjectMapper()
                .readTree(ClusterPage.of(
                        "7f3a",
                        WELL,
                        new LogPoint(4, 103),
                        List.of(peer("a", "0.4", 0, true, SETTINGS), b),
                        ClusterMember.parse("a=127.0.0.1:1,b=127.0.0.1:3"),
                        new NodeHealth(NodeHealth.Status.DEGRADED, List.of("A reason.")),
                        "0.4"));
        assertThat(page.get("id").asText()).isEqualTo("7f3a");
        assertThat(page.get("lastTerm").asLong()).isEqualTo(4);
        assertThat(page.get("lastIndex").asLong()).isEqualTo(103);
        assertThat(pageWith().has("lastIndex"))
                .as("of a node that takes no part")
                .isFalse();
        assertThat(page.get("health").asText()).isEqualTo("degraded");
        assertThat(page.get("reasons").get(0).asText()).isEqualTo("A reason.");
        JsonNode member = page.get("members").get(1);
        assertThat(member.get("release").asText()).isEqualTo("0.4");
        assertThat(member.get("clockOffsetMs").asLong()).isEqualTo(-7);
        assertThat(member.get("freeBytes").asLong()).isEqualTo(123);
        assertThat(member.get("lastContactMs").asLong()).isEqualTo(20);
        assertThat(member.get("doing").asText()).startsWith("It receives a checkpoint");
        assertThat(member.get("nodeAddress").asText()).isEqualTo("127.0.0.1:4");
    }
}
