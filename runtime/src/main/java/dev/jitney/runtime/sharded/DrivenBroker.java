package dev.jitney.runtime.sharded;

import dev.jitney.runtime.Broker;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.StoreException;
import java.util.List;
import java.util.Random;

/**
 * A broker without threads: each shard takes a turn when the caller says so, in the caller's thread. With stores, a clock and
 * a source of chance that can be repeated, everything it does can be repeated (docs/adr/0017). For one thread.
 *
 * <p>Ended by being dropped, as a process that is killed, or by {@link #close}, as one that is stopped in good order.
 */
public final class DrivenBroker implements AutoCloseable {
    private final ShardedBroker broker;

    private DrivenBroker(ShardedBroker broker) {
        this.broker = broker;
    }

    /**
     * Opens a broker over stores as {@link ShardedBroker#open} does.
     *
     * @param random where lock tokens and message ids come from
     */
    public static DrivenBroker open(BrokerOptions options, List<MessagingStore> stores, Clock clock, Random random)
            throws StoreException {
        return new DrivenBroker(ShardedBroker.load(options, stores, clock, random));
    }

    /** What edges see. */
    public Broker broker() {
        return broker;
    }

    /**
     * Has the shard of a store do everything it can do now.
     *
     * @param store its place among the stores, from 0
     * @return whether there was anything to do
     */
    public boolean turn(int store) {
        return broker.shard(store).step();
    }

    /** Whether a store works: not stopped, and nothing has gone wrong that its shard has not got over. */
    public boolean isServing(int store) {
        return broker.shard(store).isServing();
    }

    /** Whether something waits for the shard of a store. */
    public boolean hasTasks(int store) {
        return !broker.shard(store).mailbox().isEmpty();
    }

    /**
     * When the shard of a store has something to do without being asked, milliseconds since the epoch;
     * {@link Long#MAX_VALUE} if never.
     */
    public long nextWorkMs(int store) {
        return broker.shard(store).nextWorkMs();
    }

    /** Stops all shards: they commit what waits. */
    @Override
    public void close() {
        broker.close();
    }
}
