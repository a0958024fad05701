package dev.jitney.cluster.ratis;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Receives the news of consensus on this node. Threads of Ratis call it; every method returns at once. */
public interface RatisEvents {

    /** This node leads and has applied all entries of earlier terms (CL-11). */
    void leaderReady(long term);

    /** This node leads no more, or has had no majority for an election timeout (CL-12). */
    void notLeader();

    /** This node follows another leader than before, or has begun to lead. */
    void leaderChanged();

    /**
     * The log, a store or an entry has a fault. The server stops taking part; it must be closed, and the stores must be opened
     * again (CL-42).
     */
    void fault(String what, Throwable cause);

    /**
     * Called on the thread that applies entries, after the {@link #fault} of an entry and before the server ends because of it.
     * It may wait for a few seconds, so that leadership can be passed on first (CL-16): the server takes part meanwhile, and
     * applies nothing.
     */
    void beforeEnd();

    /** The server has ended by itself. */
    void ended();

    /**
     * A mark is reached: all entries before it are applied, and none behind it until this method returns (CL-85). The thread
     * that applies entries calls it.
     *
     * @param id    the id of the mark
     * @param index its index in the log
     */
    void mark(UUID id, long index);

    /**
     * The leader's log does not reach back far enough. The node has to replace its stores by a checkpoint (CL-40).
     *
     * @param leader     the identity of the leader
     * @param firstIndex the first index of the leader's log
     * @return a stage with the place in the log up to which the installed checkpoint contains everything
     */
    CompletableFuture<LogPoint> install(String leader, long firstIndex);
}
