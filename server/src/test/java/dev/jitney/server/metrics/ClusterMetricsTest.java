package dev.jitney.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.cluster.member.NodeLevels;
import dev.jitney.cluster.node.NodeStatus;
import dev.jitney.cluster.ratis.AgreementFigures;
import dev.jitney.runtime.store.FormatLevels;
import dev.jitney.server.front.FrontFigures;
import dev.jitney.server.node.NodeReasons;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ClusterMetricsTest {
    private static final AgreementFigures.Snapshot COMMITS =
            new AgreementFigures.Snapshot(durations(1, 2, 3, 4.5), durations(4, 5, 6, 3.5), durations(7, 8, 9, 2.5), 7);

    private static AgreementFigures.Histogram durations(long first, long second, long third, double sumSeconds) {
        return new AgreementFigures.Histogram(
                new double[] {0.001, 0.01}, new long[] {first, second, third}, sumSeconds);
    }

    /** Returns the page of a leader with a follower that lags. */
    static String page() throws IOException {
        return page(NodeStatus.Role.LEADER);
    }

    private static String page(NodeStatus.Role role) throws IOException {
        NodeStatus status = new NodeStatus(
                "a",
                role,
                5,
                "a",
                100,
                101,
                List.of(
                        new NodeStatus.Member("a", "h:1", true, 100, 0, 0, 0),
                        new NodeStatus.Member("b", "h:2", false, 90, 11, 2_500, 1_500),
                        new NodeStatus.Member("c", "h:3", false, -1, -1, -1, -1)),
                null,
                3,
                2,
                1_000,
                2_000,
                1,
                4_096);
        ClusterFigures figures = new ClusterFigures(
                status,
                new NodeStatus.Figures(COMMITS, 8, 9),
                new FrontFigures(1, 2, 3, 4, 5, 6, 7),
                new NodeStatus.Peer(
                        "a", "1.2.3", 0, false, 512, "", Map.of(), new NodeLevels(new FormatLevels(1, 3), 2)),
                Set.of(NodeReasons.Kind.DISK, NodeReasons.Kind.MEMBER));
        try (ClusterMetrics metrics = new ClusterMetrics(() -> figures, () -> true, "1.2.3")) {
            return metrics.page();
        }
    }

    @Test
    @DisplayName("CL-82: the page of a leader has role, term, entries, commits, members, checkpoints and passages")
    void leader() throws Exception {
        assertThat(page().lines())
                .contains(
                        "jitney_cluster_role{role=\"leader\"} 1.0",
                        "jitney_cluster_role{role=\"follower\"} 0.0",
                        "jitney_cluster_term 5.0",
                        "jitney_cluster_level 2.0",
                        "jitney_cluster_leader_changes_total 3.0",
                        "jitney_cluster_restarts_total 2.0",
                        "jitney_cluster_entries_total 1000.0",
                        "jitney_cluster_entry_bytes_total 2000.0",
                        "jitney_cluster_skipped_entries_total 1.0",
                        "jitney_cluster_commit_duration_seconds_bucket{le=\"0.001\"} 1",
                        "jitney_cluster_commit_duration_seconds_bucket{le=\"+Inf\"} 6",
                        "jitney_cluster_commit_duration_seconds_sum 4.5",
                        "jitney_cluster_agreement_duration_seconds_bucket{le=\"0.001\"} 4",
                        "jitney_cluster_agreement_duration_seconds_sum 3.5",
                        "jitney_cluster_log_sync_duration_seconds_bucket{le=\"+Inf\"} 24",
                        "jitney_cluster_log_sync_duration_seconds_sum 2.5",
                        "jitney_cluster_lease_waits_total 7.0",
                        "jitney_cluster_member_lag_entries{member=\"b\"} 11.0",
                        "jitney_cluster_member_behind_seconds{member=\"b\"} 2.5",
                        "jitney_cluster_member_last_contact_seconds{member=\"b\"} 1.5",
                        "jitney_cluster_checkpoints_sent_total 8.0",
                        "jitney_cluster_checkpoints_received_total 9.0",
                        "jitney_cluster_passed_on_bytes_total{direction=\"to_clients\"} 6.0",
                        "jitney_cluster_disk_free_bytes 512.0",
                        "jitney_cluster_disk_has_room 0.0",
                        "jitney_cluster_degraded{reason=\"disk\"} 1.0",
                        "jitney_cluster_degraded{reason=\"member\"} 1.0",
                        "jitney_cluster_degraded{reason=\"two_nodes\"} 0.0",
                        "jitney_healthy 1.0");
        assertThat(page().lines())
                .noneMatch(line -> line.contains("member=\"c\""))
                .anyMatch(line -> line.startsWith("jvm_memory_used_bytes"));
    }

    @Test
    @DisplayName("CL-82: a node that does not lead has no figures of other members")
    void follower() throws Exception {
        assertThat(page(NodeStatus.Role.FOLLOWER).lines())
                .contains("jitney_cluster_role{role=\"follower\"} 1.0", "jitney_cluster_applied_index 100.0")
                .noneMatch(line -> line.contains("member="));
    }
}
