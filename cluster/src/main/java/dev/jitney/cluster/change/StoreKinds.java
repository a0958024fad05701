package dev.jitney.cluster.change;

import dev.jitney.runtime.store.ReplicaStore;
import dev.jitney.runtime.store.StoreException;
import java.nio.file.Path;

/**
 * The stores of a data directory, while nothing uses them. Each change of a store keeps all rows, happens as a whole or not at
 * all, and may be repeated.
 */
public interface StoreKinds {

    /** Returns the number of stores in the directory; 0 if it has none. */
    int count();

    /** Makes the store of a single node the copy of a cluster's store, unless it is one already. */
    void toReplica(int store, long timeMs) throws StoreException;

    /** Makes the copy of a cluster's store begin again before the first entry, for another cluster. */
    void restart(int store, long timeMs) throws StoreException;

    /** Makes the copy of a cluster's store, which has everything in table files, the store of a single node. */
    void toSingleNode(int store) throws StoreException;

    /** Opens the copy of a cluster's store. */
    ReplicaStore open(int store) throws StoreException;

    /** Returns the directory for checkpoints of a store; it need not exist. */
    Path workDirectory(int store);
}
