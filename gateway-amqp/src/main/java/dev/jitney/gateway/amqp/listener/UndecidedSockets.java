package dev.jitney.gateway.amqp.listener;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a gateway whose protocol is not known yet. When there are too many, the oldest of them is closed,
 * so that a new client can always send its first bytes. Any thread may call it.
 */
public final class UndecidedSockets {
    private final int max;
    private final Set<ProtocolDetector> all = new LinkedHashSet<>();

    /**
     * @param max limit of undecided connections, at least 1
     */
    public UndecidedSockets(int max) {
        if (max < 1) {
            throw new IllegalArgumentException(
                    "Expected room for at least 1 undecided connection, but got " + max + ".");
        }
        this.max = max;
    }

    void add(ProtocolDetector socket) {
        ProtocolDetector oldest = null;
        synchronized (this) {
            if (all.size() >= max) {
                oldest = first();
                all.remove(oldest);
            }
            all.add(socket);
        }
        if (oldest != null) {
            oldest.giveUp();
        }
    }

    private synchronized @Nullable ProtocolDetector first() {
        return all.isEmpty() ? null : all.iterator().next();
    }

    /** Closes all undecided connections. */
    public void closeAll() {
        List<ProtocolDetector> now;
        synchronized (this) {
            now = List.copyOf(all);
        }
        now.forEach(ProtocolDetector::giveUp);
    }

    synchronized void remove(ProtocolDetector socket) {
        all.remove(socket);
    }

    /** Returns the number of undecided connections. */
    public synchronized int count() {
        return all.size();
    }
}
