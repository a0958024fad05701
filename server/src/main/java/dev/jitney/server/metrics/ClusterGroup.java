package dev.jitney.server.metrics;

import dev.jitney.cluster.node.NodeStatus;
import dev.jitney.cluster.ratis.AgreementFigures;
import dev.jitney.server.front.FrontFigures;
import dev.jitney.server.node.NodeReasons;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;
import java.util.Locale;

/** The metrics of a node of a cluster (CL-82). */
final class ClusterGroup {
    private static final double MS_PER_SECOND = 1_000.0;

    private static final Family ROLE = Family.gauge(
            "jitney_cluster_role",
            "1 for the role that the node has: leader, follower, seeking, joining, waiting or stopped. 0 for the others.");
    private static final Family TERM = Family.gauge("jitney_cluster_term", "Number of the current leadership.");
    private static final Family LEVEL = Family.gauge(
            "jitney_cluster_level",
            "Level of the cluster, as this node has applied it. It says in which formats the cluster writes.");
    private static final Family LEADER_CHANGES =
            Family.counter("jitney_cluster_leader_changes", "Changes of the leader that this node has seen.");
    private static final Family RESTARTS = Family.counter(
            "jitney_cluster_restarts", "Restarts of the node's part in the cluster after faults of its log or stores.");
    private static final Family ENTRIES = Family.counter(
            "jitney_cluster_entries", "Entries of the replicated log that were agreed on and applied on this node.");
    private static final Family ENTRY_BYTES =
            Family.counter("jitney_cluster_entry_bytes", "Bytes of the entries that were applied on this node.");
    private static final Family SKIPPED = Family.counter(
            "jitney_cluster_skipped_entries",
            "Entries without an effect, because they were decided in an earlier term. Without a change of leaders this is a defect.");
    private static final Family COMMIT_DURATION = Family.histogram(
            "jitney_cluster_commit_duration_seconds",
            "Seconds from the proposal of a batch on the leader until a majority has synced it and the leader has applied it.");
    private static final Family AGREEMENT_DURATION = Family.histogram(
            "jitney_cluster_agreement_duration_seconds",
            "Seconds from the proposal of an entry on the leader until a majority has synced it; a part of the commit duration.");
    private static final Family SYNC_DURATION = Family.histogram(
            "jitney_cluster_log_sync_duration_seconds",
            "Seconds until a write of this node to its replicated log is on disk. On the leader, the majority syncs meanwhile.");
    private static final Family LEASE_WAITS = Family.counter(
            "jitney_cluster_lease_waits", "Deliveries and reads that waited for a majority to confirm the leader.");
    private static final Family APPLIED = Family.gauge(
            "jitney_cluster_applied_index", "Position in the log up to which this node has applied entries.");
    private static final Family COMMITTED =
            Family.gauge("jitney_cluster_committed_index", "Position in the log up to which entries are agreed on.");
    private static final Family LOG_SIZE =
            Family.gauge("jitney_cluster_log_size_bytes", "Size of the replicated log on this node.");
    private static final Family MEMBER_POSITION = Family.gauge(
            "jitney_cluster_member_index", "Position in the log up to which a member has entries. Only on the leader.");
    private static final Family MEMBER_LAG =
            Family.gauge("jitney_cluster_member_lag_entries", "Entries that a member lacks. Only on the leader.");
    private static final Family MEMBER_BEHIND = Family.gauge(
            "jitney_cluster_member_behind_seconds",
            "Seconds for which a member has lacked entries; 0 if it has all of them. Only on the leader.");
    private static final Family MEMBER_CONTACT = Family.gauge(
            "jitney_cluster_member_last_contact_seconds",
            "Seconds since the last answer of a member. Only on the leader.");
    private static final Family CHECKPOINTS_SENT =
            Family.counter("jitney_cluster_checkpoints_sent", "Checkpoints that other nodes have requested.");
    private static final Family CHECKPOINTS_RECEIVED =
            Family.counter("jitney_cluster_checkpoints_received", "Checkpoints that this node has installed.");
    private static final Family PASSED_ON =
            Family.gauge("jitney_cluster_passed_on_connections", "Connections of clients that this node passes on.");
    private static final Family PASSAGES = Family.counter(
            "jitney_cluster_opened_passages", "Connections of clients that this node has passed on to leaders.");
    private static final Family WAITING =
            Family.gauge("jitney_cluster_waiting_connections", "Connections of clients that wait for a leader.");
    private static final Family REFUSED = Family.counter(
            "jitney_cluster_refused_connections",
            "Connections of clients closed because of a limit, or because no leader served them in time.");
    private static final Family PASSED_BYTES = Family.counter(
            "jitney_cluster_passed_on_bytes",
            "Bytes that this node has passed on, by direction: to_leader or to_clients.");

    private static final Family DISK_FREE =
            Family.gauge("jitney_cluster_disk_free_bytes", "Free bytes of the fullest disk of this node.");
    private static final Family DISK_ROOM = Family.gauge(
            "jitney_cluster_disk_has_room",
            "1 while the disks of this node have room for more messages. If a majority of the nodes has none, sends are refused.");
    private static final Family DEGRADED = Family.gauge(
            "jitney_cluster_degraded",
            "1 for each reason for which GET /health of this node answers degraded: two_nodes, plain, node, member, release, settings, clock, disk or certificate. 0 for the others.");

    static final List<Family> FAMILIES = List.of(
            ROLE,
            TERM,
            LEVEL,
            LEADER_CHANGES,
            RESTARTS,
            ENTRIES,
            ENTRY_BYTES,
            SKIPPED,
            COMMIT_DURATION,
            AGREEMENT_DURATION,
            SYNC_DURATION,
            LEASE_WAITS,
            APPLIED,
            COMMITTED,
            LOG_SIZE,
            MEMBER_POSITION,
            MEMBER_LAG,
            MEMBER_BEHIND,
            MEMBER_CONTACT,
            CHECKPOINTS_SENT,
            CHECKPOINTS_RECEIVED,
            PASSED_ON,
            PASSAGES,
            WAITING,
            REFUSED,
            PASSED_BYTES,
            DISK_FREE,
            DISK_ROOM,
            DEGRADED);

    private ClusterGroup() {}

    private static void histogram(Family family, AgreementFigures.Histogram histogram, Samples samples) {
        samples.add(family, Labels.EMPTY, histogram.upperBounds(), histogram.counts(), histogram.sumSeconds());
    }

    static void collect(ClusterFigures figures, Samples samples) {
        NodeStatus status = figures.status();
        for (NodeStatus.Role role : NodeStatus.Role.values()) {
            samples.add(ROLE, Labels.of("role", role.name().toLowerCase(Locale.ROOT)), role == status.role() ? 1 : 0);
        }
        samples.add(TERM, Labels.EMPTY, status.term());
        samples.add(LEVEL, Labels.EMPTY, figures.self().levels().current());
        samples.add(LEADER_CHANGES, Labels.EMPTY, status.leaderChanges());
        samples.add(RESTARTS, Labels.EMPTY, status.restarts());
        samples.add(ENTRIES, Labels.EMPTY, status.entries());
        samples.add(ENTRY_BYTES, Labels.EMPTY, status.entryBytes());
        samples.add(SKIPPED, Labels.EMPTY, status.skipped());
        AgreementFigures.Snapshot commits = figures.node().commits();
        histogram(COMMIT_DURATION, commits.commits(), samples);
        histogram(AGREEMENT_DURATION, commits.agreements(), samples);
        histogram(SYNC_DURATION, commits.syncs(), samples);
        samples.add(LEASE_WAITS, Labels.EMPTY, commits.leaseWaits());
        if (status.applied() >= 0) {
            samples.add(APPLIED, Labels.EMPTY, status.applied());
        }
        if (status.committed() >= 0) {
            samples.add(COMMITTED, Labels.EMPTY, status.committed());
        }
        samples.add(LOG_SIZE, Labels.EMPTY, status.logBytes());
        if (status.role() == NodeStatus.Role.LEADER) {
            status.members().forEach(member -> member(member, samples));
        }
        samples.add(CHECKPOINTS_SENT, Labels.EMPTY, figures.node().checkpointsSent());
        samples.add(CHECKPOINTS_RECEIVED, Labels.EMPTY, figures.node().checkpointsReceived());
        condition(figures, samples);
        FrontFigures front = figures.front();
        if (front != null) {
            samples.add(PASSED_ON, Labels.EMPTY, front.passedOn());
            samples.add(PASSAGES, Labels.EMPTY, front.openedPassages());
            samples.add(WAITING, Labels.EMPTY, front.waiting());
            samples.add(REFUSED, Labels.EMPTY, front.refused());
            samples.add(PASSED_BYTES, Labels.of("direction", "to_leader"), front.toLeaderBytes());
            samples.add(PASSED_BYTES, Labels.of("direction", "to_clients"), front.toClientsBytes());
        }
    }

    private static void condition(ClusterFigures figures, Samples samples) {
        if (figures.self().freeBytes() >= 0) {
            samples.add(DISK_FREE, Labels.EMPTY, figures.self().freeBytes());
        }
        samples.add(DISK_ROOM, Labels.EMPTY, figures.self().room() ? 1 : 0);
        for (NodeReasons.Kind kind : NodeReasons.Kind.values()) {
            samples.add(
                    DEGRADED,
                    Labels.of("reason", kind.name().toLowerCase(Locale.ROOT)),
                    figures.degraded().contains(kind) ? 1 : 0);
        }
    }

    private static void member(NodeStatus.Member member, Samples samples) {
        Labels labels = Labels.of("member", member.name());
        if (member.position() >= 0) {
            samples.add(MEMBER_POSITION, labels, member.position());
            samples.add(MEMBER_LAG, labels, member.lag());
            samples.add(MEMBER_BEHIND, labels, member.behindMs() / MS_PER_SECOND);
        }
        if (member.lastContactMs() >= 0) {
            samples.add(MEMBER_CONTACT, labels, member.lastContactMs() / MS_PER_SECOND);
        }
    }
}
