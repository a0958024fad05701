package dev.jitney.cluster.node;

import dev.jitney.cluster.member.NodeLevels;
import dev.jitney.cluster.ratis.AgreementFigures;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of a node and what it knows about the others (CL-81, CL-82).
 *
 * @param name          the name of this node
 * @param role          its role
 * @param term          the current term, 0 if it takes no part
 * @param leader        the name of the leader, or null if this node knows none
 * @param applied       the index of the last entry that was applied here, -1 before the first one
 * @param committed     the index of the last entry that is known to be agreed on, -1 before the first one
 * @param members       the members. Only a leader knows how far the others are.
 * @param remark        what it waits for, receives, or why it takes no part; null if it is in order
 * @param leaderChanges the number of times that this node saw another leader since the process started
 * @param restarts      the number of restarts after faults since the process started (CL-42)
 * @param entries       the number of entries that were applied since the last restart
 * @param entryBytes    the bytes of these entries
 * @param skipped       the number of entries that were skipped since the last restart (CL-3). More than zero without a change
 *     of leaders is a defect.
 * @param logBytes      the size of the replicated log in bytes
 */
public record NodeStatus(
        String name,
        Role role,
        long term,
        @Nullable String leader,
        long applied,
        long committed,
        List<Member> members,
        @Nullable String remark,
        long leaderChanges,
        long restarts,
        long entries,
        long entryBytes,
        long skipped,
        long logBytes) {

    /** The time without an answer after which a member counts as away, in milliseconds. */
    private static final long AWAY_MS = 3_000;

    /** The number of entries that a member in sync may lack: those that are on their way. */
    private static final long LAG_IN_SYNC = 1_000;

    /** The time for which a member in sync may lack entries, in milliseconds. Syncs of slow disks take up to a second. */
    private static final long BEHIND_IN_SYNC_MS = 5_000;

    /** Returns whether a member with this time since its last answer, or -1 if it is unknown, counts as away. */
    public static boolean isAway(long lastContactMs) {
        return lastContactMs < 0 || lastContactMs > AWAY_MS;
    }

    /**
     * Returns whether a follower counts as in sync.
     *
     * @param lag           the number of entries that it lacks
     * @param behindMs      milliseconds for which it has lacked entries
     * @param lastContactMs milliseconds since its last answer, or -1 if the leader does not know
     */
    public static boolean isInSync(long lag, long behindMs, long lastContactMs) {
        return !isAway(lastContactMs) && lag <= LAG_IN_SYNC && behindMs <= BEHIND_IN_SYNC_MS;
    }

    /** The role of a node. */
    public enum Role {
        /** It leads and has applied all entries of earlier terms. */
        LEADER,
        /** It follows a leader. */
        FOLLOWER,
        /** It takes part and knows no leader. */
        SEEKING,
        /** It gets what it lacks, and does not vote yet. */
        JOINING,
        /** It belongs to no cluster yet and waits for other nodes (CL-51). */
        WAITING,
        /** It takes no part. */
        STOPPED
    }

    /**
     * A member.
     *
     * @param name          its name
     * @param address       host and port of its Ratis server
     * @param leads         whether it is the leader, as far as this node knows
     * @param position      the index of the last entry in its log, or -1 if this node does not know
     * @param lag           the number of entries that it lacks, or -1 if this node does not know
     * @param behindMs      milliseconds for which it has lacked entries: 0 if it has all of them, -1 if this node does not know
     * @param lastContactMs milliseconds since its last answer, or -1 if this node does not know; 0 for this node
     */
    public record Member(
            String name, String address, boolean leads, long position, long lag, long behindMs, long lastContactMs) {}

    /**
     * A node as it describes itself (CL-81).
     *
     * @param name          its name
     * @param release       the version of its program, or empty if it is unknown
     * @param clockOffsetMs its clock minus the clock of this node, in milliseconds
     * @param room          whether its disks have room for more messages
     * @param freeBytes     the free bytes of its fullest disk, or -1 if it does not know
     * @param doing         a sentence about its current work or a fault, or an empty text
     * @param settings      a short digest of each setting that should be the same on all nodes, by the name of its option
     * @param levels        the levels that its release supports, and the level of its data (CL-61)
     */
    public record Peer(
            String name,
            String release,
            long clockOffsetMs,
            boolean room,
            long freeBytes,
            String doing,
            Map<String, String> settings,
            NodeLevels levels) {}

    /**
     * The figures of a node besides its status (CL-82). Those of commits begin at 0 when the node restarts its part in
     * the cluster.
     *
     * @param commits             commits and waits for the lease while this node led
     * @param checkpointsSent     checkpoints that other nodes have requested
     * @param checkpointsReceived checkpoints that this node has put in place
     */
    public record Figures(AgreementFigures.Snapshot commits, long checkpointsSent, long checkpointsReceived) {}
}
