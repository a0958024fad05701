package dev.jitney.cluster.election;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The port of a {@link LeaderWatch} to the consensus on this node. Any thread may call it. */
public interface Candidacy {
    /**
     * A leadership as this node knows it.
     *
     * @param self    the identity of this node
     * @param leader  the identity of the leader, or null if none is known
     * @param term    the current term
     * @param members the identities of all members
     */
    record View(String self, @Nullable String leader, long term, List<String> members) {}

    /** Returns the current leadership, or null if this node takes no part. */
    @Nullable
    View view();

    /**
     * Returns the opinion of this node.
     *
     * @param ended whether the process of the leader has ended
     */
    Opinion opinion(boolean ended);

    /**
     * Becomes a candidate at once, although the election timeout has not passed, and without a vote before the vote. Only for a
     * leader whose process has ended: a leader that is alive could still rely on its lease (CL-9).
     *
     * @param leader the identity of the leader that this node follows
     * @return false if this node does not follow that leader any more, or has no entry of its term
     */
    boolean replace(String leader) throws IOException;
}
