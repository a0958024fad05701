package dev.jitney.runtime.sharded;

import dev.jitney.runtime.Broker;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.StoreException;
import java.util.List;
import java.util.Random;

/**
 * A broker without threads: each shard runs when the caller requests it, in the caller's thread. With deterministic
 * stores, clock and random source, the whole broker is deterministic (docs/adr/0017). For one thread.
 *
 * <p>To simulate a killed process, drop the instance; to simulate an orderly shutdown, call {@link #close}.
 */
public final class DrivenBroker implements AutoCloseable {
    private final ShardedBroker broker;

    private DrivenBroker(ShardedBroker broker) {
        this.broker = broker;
    }

    /**
     * Opens a broker over stores as {@link ShardedBroker#open} does.
     *
     * @param random the source of lock tokens and message ids
     */
    public static DrivenBroker open(BrokerOptions options, List<MessagingStore> stores, Clock clock, Random random)
            throws StoreException {
        return new DrivenBroker(ShardedBroker.load(options, stores, clock, random));
    }

    /** Returns the broker as gateways use it. */
    public Broker broker() {
        return broker;
    }

    /**
     * Runs all tasks that the shard of a store can run now.
     *
     * @param store the index of the store, from 0
     * @return whether the shard had any task
     */
    public boolean turn(int store) {
        return broker.shard(store).step();
    }

    /** Returns whether a store works: it is not stopped, and its shard has recovered from all failures. */
    public boolean isServing(int store) {
        return broker.shard(store).isServing();
    }

    /** Returns whether tasks wait for the shard of a store. */
    public boolean hasTasks(int store) {
        return !broker.shard(store).mailbox().isEmpty();
    }

    /**
     * Returns the time when the shard of a store next has work without a new task, in milliseconds since the epoch;
     * {@link Long#MAX_VALUE} if never.
     */
    public long nextWorkMs(int store) {
        return broker.shard(store).nextWorkMs();
    }

    /** Stops all shards after they have committed pending commands. */
    @Override
    public void close() {
        broker.close();
    }
}
