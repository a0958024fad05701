package dev.jitney.cluster.node;

import dev.jitney.runtime.store.ReplicaStore;
import dev.jitney.runtime.store.StoreException;

/** Opens the copies of stores on this node. */
@FunctionalInterface
public interface ReplicaOpener {

    /**
     * Opens a copy, or makes an empty one.
     *
     * @param store number of the store, from 0
     */
    ReplicaStore open(int store) throws StoreException;
}
