package dev.jitney.cluster.node;

import dev.jitney.cluster.member.ClusterMember;
import org.jspecify.annotations.Nullable;

/**
 * Receives the changes of leadership of a node, one call at a time, on a thread of its own. A call may take long: the stores of
 * a term that has ended refuse everything at once, so late work does no harm.
 */
public interface LeadershipListener {

    /** This node leads and has applied all entries of earlier terms (CL-11). */
    void leads(LeaderTerm term);

    /**
     * A term of this node has ended. Its stores refuse everything already. All connections of clients must end (CL-12).
     *
     * @param term   the term
     * @param reason the reason, for the log
     */
    void leadsNoMore(long term, String reason);

    /**
     * This node follows another leader, or none.
     *
     * @param leader the leader, or null if this node knows none
     */
    void follows(@Nullable ClusterMember leader);
}
