package dev.jitney.runtime;

import dev.jitney.model.SubQueue;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The receivers of one connection: messages that one of them has fetched from a partitioned entity and not asked for are there for
 * the next of them (PART-13, PART-59, PART-61), until their locks end or the connection does. A gateway has one per connection and
 * {@linkplain #close closes} it with that. Any thread may call it.
 */
public final class ConnectionReceivers {
    /** Entities without a receiver now for which something may be kept. */
    private static final int IDLE_MAX = 8;

    private final Executor executor;
    private final Map<Key, Prefetch> prefetches = new HashMap<>(2);

    /** Those without a receiver, the one that has been for longest first. */
    private final Set<Prefetch> idle = new LinkedHashSet<>(2);

    private int idleMax;

    private record Key(Entity entity, SubQueue subQueue) {}

    /** Fetches messages from a partitioned entity for all receivers that a connection has there. Any thread may call it. */
    public interface Prefetch {

        /** The partitioned entity. */
        Entity whole();

        /** The queue or sub-queue of it. */
        SubQueue subQueue();

        /** Ends it if it has no receiver, and returns whether it has ended. */
        boolean endIfIdle();

        /** Ends it: messages that were not given out are there for others at once. */
        void end();
    }

    /** @param executor where all receivers are told, in order; that of the connection */
    public ConnectionReceivers(Executor executor) {
        this(executor, IDLE_MAX);
    }

    private ConnectionReceivers(Executor executor, int idleMax) {
        this.executor = executor;
        this.idleMax = idleMax;
    }

    /** For one receiver only: messages that it has fetched are given back when it goes. */
    static ConnectionReceivers ofOne(Executor executor) {
        return new ConnectionReceivers(executor, 0);
    }

    /** The connection has gone: messages that it has fetched and not given out are there for others at once (PART-60). */
    public void close() {
        List<Prefetch> all;
        synchronized (this) {
            idleMax = 0;
            all = List.copyOf(prefetches.values());
            prefetches.clear();
            idle.clear();
        }
        all.forEach(Prefetch::end);
    }

    /** Where all receivers are told, in order. */
    public Executor executor() {
        return executor;
    }

    /**
     * The one that fetches from an entity for this connection.
     *
     * @param factory makes it if there is none
     */
    public synchronized Prefetch prefetch(Entity entity, SubQueue subQueue, Supplier<? extends Prefetch> factory) {
        Prefetch prefetch = prefetches.computeIfAbsent(new Key(entity, subQueue), none -> factory.get());
        idle.remove(prefetch);
        return prefetch;
    }

    /** The last receiver of one has gone. The one without receivers for longest ends if there are too many. */
    public void left(Prefetch prefetch) {
        Prefetch eldest = null;
        synchronized (this) {
            idle.add(prefetch);
            if (idle.size() > idleMax) {
                Iterator<Prefetch> eldestFirst = idle.iterator();
                eldest = eldestFirst.next();
                eldestFirst.remove();
            }
        }
        endIfIdle(eldest);
    }

    private void endIfIdle(@Nullable Prefetch prefetch) {
        if (prefetch != null && prefetch.endIfIdle()) {
            ended(prefetch);
        }
    }

    /** One has come to its end: who comes now gets another one. */
    public synchronized void ended(Prefetch prefetch) {
        prefetches.remove(new Key(prefetch.whole(), prefetch.subQueue()), prefetch);
        idle.remove(prefetch);
    }
}
