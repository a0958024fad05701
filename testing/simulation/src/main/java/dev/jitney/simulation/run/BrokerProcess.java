package dev.jitney.simulation.run;

import dev.jitney.runtime.Clock;
import dev.jitney.runtime.sharded.DrivenBroker;

/** A process of the broker. */
final class BrokerProcess {
    final DrivenBroker driven;

    /** The clock of its shards. */
    final Clock clock;

    /** By store, whether its shard is in the middle of a commit. */
    final boolean[] stalled;

    /** By store, whether an operator has stopped it. */
    final boolean[] stopped;

    BrokerProcess(DrivenBroker driven, Clock clock, int stores) {
        this.driven = driven;
        this.clock = clock;
        this.stalled = new boolean[stores];
        this.stopped = new boolean[stores];
    }

    boolean isStalled() {
        for (boolean one : stalled) {
            if (one) {
                return true;
            }
        }
        return false;
    }
}
