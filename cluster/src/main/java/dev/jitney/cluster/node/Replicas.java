package dev.jitney.cluster.node;

import dev.jitney.runtime.store.ReplicaStore;
import dev.jitney.runtime.store.StoreException;
import java.nio.file.Path;

/** Opens the copies of the stores on this node. */
public interface Replicas {

    /**
     * Opens a copy, or makes an empty one.
     *
     * @param store number of the store, from 0
     */
    ReplicaStore open(int store) throws StoreException;

    /**
     * Returns a directory on the same disk as a store, for checkpoints. It need not exist. It has no other use.
     *
     * @param store number of the store, from 0
     */
    Path workDirectory(int store);
}
