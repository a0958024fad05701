package dev.jitney.simulation.cluster;

import dev.jitney.cluster.Agreement;
import dev.jitney.cluster.ReplicatedStore;
import dev.jitney.cluster.StoreReplica;
import dev.jitney.cluster.TermEndedException;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.simulation.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** One term of one leader, as its broker uses it. */
public final class Leadership implements Agreement {
    private final SimulatedCluster cluster;
    final SimulatedNode node;
    private final long term;
    private final long floorMs;
    private final Clock clock;
    private final List<ReplicatedStore> stores = new ArrayList<>();

    /** By store, the entry that the memory of the broker is based on. */
    final long[] basis;

    /** True once a commit has failed, or the lease was lost. The node stops leading then. */
    boolean hasFailed;

    /** By store, the number of batches that the broker has proposed. */
    final long[] proposed;

    Leadership(SimulatedCluster cluster, SimulatedNode node, long term) {
        this.cluster = cluster;
        this.node = node;
        this.term = term;
        this.floorMs = node.timeMs();
        this.clock = node.clock.notBefore(floorMs);
        this.basis = new long[node.stores()];
        this.proposed = new long[node.stores()];
        Clock steady = clock.steady();
        for (int i = 0; i < node.stores(); i++) {
            basis[i] = node.replica(i).position().index();
            stores.add(new ReplicatedStore(i, node.replica(i), this, steady::nowMs));
        }
    }

    /** Returns the clock of the broker, whose steady clock continues the time of earlier leaders. */
    public Clock clock() {
        return clock;
    }

    /** Returns the stores of the broker. */
    public List<MessagingStore> stores() {
        List<MessagingStore> watched = new ArrayList<>();
        for (int i = 0; i < stores.size(); i++) {
            int store = i;
            watched.add(new WatchedStore(stores.get(i), () -> cluster.opened(this, store)));
        }
        return watched;
    }

    /** Returns the number of the node. */
    public int nodeNumber() {
        return node.number;
    }

    /** Ends the use of the stores, because the node has noticed that it leads no more (CL-12). */
    public void end() {
        stores.forEach(store -> store.endTerm("The node " + node.number + " leads no more."));
    }

    /** Returns whether the process of the node runs: it is not frozen and not killed. */
    public boolean isRunning() {
        return node.isRunning();
    }

    /** Returns whether the process of the node stands still. */
    public boolean isFrozen() {
        return node.state == SimulatedNode.State.FROZEN;
    }

    /** Kills the process of the node. */
    public void kill() {
        cluster.kill(node.number);
    }

    @Override
    public long term() {
        return term;
    }

    @Override
    public CompletionStage<StoreReplica.Result> append(List<byte[]> entries) {
        try {
            return cluster.append(this, entries);
        } catch (RuntimeException e) {
            throw new Violation("The simulated cluster has an internal error: " + e, e);
        }
    }

    @Override
    public void awaitLease() throws TermEndedException {
        cluster.requireLease(this);
    }

    @Override
    public boolean holdsLease() {
        return cluster.holdsLease(this);
    }

    @Override
    public boolean acceptsGrowth() {
        return cluster.acceptsGrowth(this);
    }

    @Override
    public String toString() {
        return node + " in term " + term;
    }
}
