package dev.jitney.cluster.node;

import java.io.IOException;

/** Writes the level of the cluster through the broker of the leader (CL-61). */
@FunctionalInterface
public interface LevelWriter {

    /**
     * Writes the row with a level, and returns when it is durable and applied on this node.
     *
     * @param level the new level
     * @throws IOException if the broker refuses, or the outcome is unknown because this node leads no more; the cluster has the level
     *     before or the new one then
     */
    void raise(int level) throws IOException;
}
