package dev.jitney.cluster;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The port to the consensus of the nodes, for one term of one leader. Any thread may call it.
 */
public interface Agreement {

    /** Returns the term, from 1. It does not change. */
    long term();

    /**
     * Proposes entries, which the log receives in this order. The stage completes when the last one is in the logs of a majority,
     * synced to disk on each, and this node has applied it (CL-1).
     *
     * @param entries encoded entries of one batch
     * @return a stage with the result of the last entry. It completes exceptionally if the outcome is unknown, for example because
     *     this node does not lead any more (CL-2).
     */
    CompletionStage<StoreReplica.Result> append(List<byte[]> entries);

    /**
     * Waits until this node holds its lease: a majority has answered recently enough that no other node can lead yet (CL-9).
     *
     * @throws TermEndedException if the term has ended
     */
    void awaitLease() throws TermEndedException;

    /**
     * Returns whether this node certainly holds its lease now, as far as it is known without a request to other nodes (CL-9). The
     * default is the answer of an agreement that does not know.
     */
    default boolean holdsLease() {
        return false;
    }

    /** Returns whether so many nodes have room for more messages that they are a majority with the leader (CL-43). */
    boolean acceptsGrowth();
}
