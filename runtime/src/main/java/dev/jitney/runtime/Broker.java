package dev.jitney.runtime;

import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.StoreException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything one process serves. Any thread may call it. */
public abstract class Broker implements AutoCloseable {

    Broker() {}

    /**
     * Opens a broker over stores and starts its shards, one per store. The stores stay the caller's to close, after the
     * broker.
     *
     * @param stores in the same order every time, because entities stay where they were created
     * @throws dev.jitney.runtime.store.StoreException if a store cannot be read, or holds a namespace that is not
     *     configured
     */
    public static Broker open(BrokerOptions options, List<MessagingStore> stores, Clock clock) throws StoreException {
        ShardedBroker broker = ShardedBroker.load(options, stores, clock);
        broker.start();
        return broker;
    }

    /** All namespaces, the first configured one first. */
    public abstract List<Namespace> namespaces();

    /**
     * The namespace a client asks for by host name: the one whose name is the first label of {@code hostname}, compared
     * without case and ignoring a port; the first namespace for any other name and for null.
     */
    public abstract Namespace namespace(@Nullable String hostname);

    /** The time all decisions are made by. */
    public abstract Clock clock();

    /** Null when every shard is open and accepts messages; otherwise one sentence that says what is wrong. */
    public abstract @Nullable String trouble();

    /** How each shard and its store are doing, in the order of the stores. */
    public List<ShardFigures> shards() {
        return List.of();
    }

    /** Completes what waits, then closes shards and stores. */
    @Override
    public abstract void close();
}
