package dev.jitney.runtime;

import dev.jitney.model.SubQueue;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Where the receivers of one connection are at home: what one of them has fetched from a partitioned entity and not asked for
 * is there for the next of them (PART-13, PART-59, PART-61), until its lock ends or the connection does. A gateway has one per
 * connection and {@linkplain #close closes} it with that. Any thread may call it.
 */
public final class ReceiverHome {
    /** Entities without a receiver now for which something may be kept. */
    private static final int IDLE_MAX = 8;

    private final Executor executor;
    private final Map<Key, Fetching> fetchings = new HashMap<>(2);

    /** Those without a receiver, the one that has been for longest first. */
    private final Set<Fetching> idle = new LinkedHashSet<>(2);

    private int idleMax;

    private record Key(Entity entity, SubQueue subQueue) {}

    /** @param executor where all receivers are told, in order; that of the connection */
    public ReceiverHome(Executor executor) {
        this(executor, IDLE_MAX);
    }

    private ReceiverHome(Executor executor, int idleMax) {
        this.executor = executor;
        this.idleMax = idleMax;
    }

    /** The home of one receiver only: what it has fetched is given back when it goes. */
    static ReceiverHome ofOne(Executor executor) {
        return new ReceiverHome(executor, 0);
    }

    /** The connection has gone: what it has fetched and not given out is there for others at once (PART-60). */
    public void close() {
        List<Fetching> all;
        synchronized (this) {
            idleMax = 0;
            all = List.copyOf(fetchings.values());
            fetchings.clear();
            idle.clear();
        }
        all.forEach(Fetching::end);
    }

    Executor executor() {
        return executor;
    }

    /** What fetches from a partitioned entity for this connection. */
    synchronized Fetching fetching(ServedEntity whole, Fragments fragments, SubQueue subQueue) {
        Fetching fetching = fetchings.computeIfAbsent(
                new Key(whole, subQueue), none -> new Fetching(this, whole, fragments, subQueue));
        idle.remove(fetching);
        return fetching;
    }

    /** The last receiver of it has gone. */
    void left(Fetching fetching) {
        Fetching eldest = null;
        synchronized (this) {
            idle.add(fetching);
            if (idle.size() > idleMax) {
                Iterator<Fetching> eldestFirst = idle.iterator();
                eldest = eldestFirst.next();
                eldestFirst.remove();
            }
        }
        endIfIdle(eldest);
    }

    private void endIfIdle(@Nullable Fetching fetching) {
        if (fetching != null && fetching.endIfIdle()) {
            ended(fetching);
        }
    }

    /** It has come to its end: who comes now gets another one. */
    synchronized void ended(Fetching fetching) {
        fetchings.remove(new Key(fetching.whole(), fetching.subQueue()), fetching);
        idle.remove(fetching);
    }
}
