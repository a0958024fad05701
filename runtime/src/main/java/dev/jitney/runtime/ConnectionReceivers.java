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
 * The receivers of one connection and the messages that they have prefetched from partitioned entities.
 *
 * <p>If a receiver closes before it takes its prefetched messages, the connection keeps them for its next receiver
 * until their locks expire or the connection closes (PART-13, PART-59, PART-61). A gateway has one instance per
 * connection and {@linkplain #close closes} it with the connection. Any thread may call it.
 */
public final class ConnectionReceivers {
    /** The largest number of prefetches without a receiver that a connection keeps. */
    private static final int IDLE_MAX = 8;

    private final Executor executor;
    private final Map<Key, Prefetch> prefetches = new HashMap<>(2);

    /** The prefetches without a receiver, the one that has been idle longest first. */
    private final Set<Prefetch> idle = new LinkedHashSet<>(2);

    private int idleMax;

    private record Key(Entity entity, SubQueue subQueue) {}

    /**
     * Prefetches messages from a partitioned entity for all receivers that a connection has on it. Any thread may
     * call it.
     */
    public interface Prefetch {

        /** Returns the partitioned entity. */
        Entity whole();

        /** Returns the sub-queue that the messages come from. */
        SubQueue subQueue();

        /** Ends the prefetch if it has no receiver, and returns whether it has ended. */
        boolean endIfIdle();

        /** Ends the prefetch. Messages that were not delivered become available to other receivers immediately. */
        void end();
    }

    /** @param executor the executor of the connection, which calls all listeners in order */
    public ConnectionReceivers(Executor executor) {
        this(executor, IDLE_MAX);
    }

    private ConnectionReceivers(Executor executor, int idleMax) {
        this.executor = executor;
        this.idleMax = idleMax;
    }

    /** Returns an instance for a single receiver: when that receiver closes, its prefetched messages are released. */
    static ConnectionReceivers ofOne(Executor executor) {
        return new ConnectionReceivers(executor, 0);
    }

    /**
     * Closes the connection's receivers. Prefetched messages that were not delivered become available to others
     * immediately (PART-60).
     */
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

    /** Returns the executor that calls all listeners, in order. */
    public Executor executor() {
        return executor;
    }

    /**
     * Returns this connection's prefetch for a sub-queue of an entity.
     *
     * @param factory creates the prefetch if there is none
     */
    public synchronized Prefetch prefetch(Entity entity, SubQueue subQueue, Supplier<? extends Prefetch> factory) {
        Prefetch prefetch = prefetches.computeIfAbsent(new Key(entity, subQueue), none -> factory.get());
        idle.remove(prefetch);
        return prefetch;
    }

    /**
     * Records that the last receiver of a prefetch has closed. If there are too many idle prefetches, the one idle
     * for longest ends.
     */
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

    /** Removes a prefetch that has ended. The next receiver gets a new one. */
    public synchronized void ended(Prefetch prefetch) {
        prefetches.remove(new Key(prefetch.whole(), prefetch.subQueue()), prefetch);
        idle.remove(prefetch);
    }
}
