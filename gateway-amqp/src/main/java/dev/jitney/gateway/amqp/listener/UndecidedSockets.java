package dev.jitney.gateway.amqp.listener;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a gateway whose protocol is not known yet. When there are too many, the one is closed that has been
 * undecided for the longest time, so that a new client always gets a chance to speak. Any thread may call it.
 */
public final class UndecidedSockets {
    private final int max;
    private final Set<ProtocolDetector> all = new LinkedHashSet<>();

    /** @param max connections that may be undecided at a time, at least 1 */
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

    synchronized void remove(ProtocolDetector socket) {
        all.remove(socket);
    }

    /** How many there are. */
    public synchronized int count() {
        return all.size();
    }
}
