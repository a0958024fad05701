package dev.jitney.simulation.cluster;

import dev.jitney.runtime.Clock;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.MessagingStoreContract;
import dev.jitney.simulation.SeededRandom;
import dev.jitney.simulation.disk.Write;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs the contract of messaging stores with the store of a leader. Each opening is a change of the leader. */
class LeaderStoreTest extends MessagingStoreContract {
    private @Nullable SimulatedCluster cluster;
    private long nowMs;

    @Override
    protected MessagingStore openEmpty() {
        Clock time = () -> nowMs;
        cluster = new SimulatedCluster(1, new SeededRandom(1), time, ms -> nowMs += ms, new Nobody());
        return lead(cluster);
    }

    @Override
    protected MessagingStore closeAndOpen(MessagingStore store) {
        store.close();
        if (cluster == null) {
            throw new IllegalStateException("Expected a cluster, but there is none.");
        }
        return lead(cluster);
    }

    private static MessagingStore lead(SimulatedCluster cluster) {
        MessagingStore leading = cluster.change(false).stores().get(0);
        cluster.verify();
        return leading;
    }

    /** A watcher that needs no news. */
    private static final class Nobody implements ClusterWatcher {
        @Override
        public void durable(int store, List<Write> writes) {}

        @Override
        public void written(Leadership by, int store) {}

        @Override
        public void fault(Leadership of) {}

        @Override
        public void opened(Leadership by, int store) {}

        @Override
        public void stalls(Leadership by, int store) {}
    }
}
