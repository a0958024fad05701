package dev.jitney.cluster.node;

import dev.jitney.cluster.ReplicatedStore;
import dev.jitney.cluster.StoreReplica;
import dev.jitney.cluster.ratis.RatisAgreement;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.store.MessagingStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/** One term in which this node leads: its stores, and the time it must not fall behind. */
public final class LeaderTerm {
    private final RatisAgreement agreement;
    private final long timeFloorMs;
    private final Clock clock;
    private final IntSupplier level;
    private final int firstLevel;
    private final List<ReplicatedStore> stores = new ArrayList<>();

    /**
     * @param agreement the agreement of this term
     * @param replicas  the copies of this node, with all entries of earlier terms applied
     * @param clock     the clock of the machine
     * @param level     returns the level of the cluster
     */
    LeaderTerm(RatisAgreement agreement, List<StoreReplica> replicas, Clock clock, IntSupplier level) {
        this.agreement = agreement;
        this.level = level;
        firstLevel = level.getAsInt();
        long floor = 0;
        for (StoreReplica replica : replicas) {
            floor = Math.max(floor, replica.store().position().timeMs());
        }
        timeFloorMs = floor;
        this.clock = clock.notBefore(floor);
        Clock steady = this.clock.steady();
        for (int i = 0; i < replicas.size(); i++) {
            stores.add(new ReplicatedStore(i, replicas.get(i).store(), agreement, steady::nowMs));
        }
    }

    /** Returns the number of the term. Terms only grow. */
    public long term() {
        return agreement.term();
    }

    /** Returns the stores of this term, by number. They refuse everything once the term has ended. */
    public List<MessagingStore> stores() {
        return List.copyOf(stores);
    }

    /** Returns the latest time of an entry, in milliseconds since the epoch. Time must not run back behind it (CL-13). */
    public long timeFloorMs() {
        return timeFloorMs;
    }

    /**
     * Returns the clock for the broker of this term. Its steady clock begins at {@link #timeFloorMs} or later, and entries carry
     * its time.
     */
    public Clock clock() {
        return clock;
    }

    /**
     * Returns the level that the broker of this term begins with: that of the store, or in a new cluster the one at which it was founded. The
     * broker writes a row with it if the store has none (CL-60).
     */
    public int firstLevel() {
        return firstLevel;
    }

    /**
     * Returns the current level of the cluster, in whose formats entries are written (CL-60). A writer of a new version of an entry uses it only
     * from its level on; {@link dev.jitney.runtime.store.FormatLevels} describes how to add one.
     */
    public int level() {
        return level.getAsInt();
    }

    RatisAgreement agreement() {
        return agreement;
    }

    /** Ends the use of the stores at once. Any thread may call it. */
    void end(String reason) {
        agreement.end();
        stores.forEach(store -> store.endTerm(reason));
    }
}
