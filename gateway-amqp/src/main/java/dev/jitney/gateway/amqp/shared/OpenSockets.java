package dev.jitney.gateway.amqp.shared;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * The open sockets under one limit. At the limit, a new socket takes the place of the oldest one whose client has shown
 * no valid credential, so that clients without credentials keep no other client out (QUOTA-8). Any thread may call it.
 */
final class OpenSockets {
    private final Consumer<GatewaySocket> closer;
    private final Set<GatewaySocket> all = ConcurrentHashMap.newKeySet();

    /** The sockets without an accepted credential, the oldest first. */
    private final Set<GatewaySocket> unauthenticated = new LinkedHashSet<>();

    private final LongAdder refused = new LongAdder();

    /** @param closer closes a socket that has lost its place */
    OpenSockets(Consumer<GatewaySocket> closer) {
        this.closer = closer;
    }

    /** Returns whether there is a place for one more socket. */
    synchronized boolean hasRoom(int max) {
        return all.size() < max || (all.size() == max && !unauthenticated.isEmpty());
    }

    /** Adds a socket without an accepted credential. Returns false if there is no place for it. */
    boolean add(GatewaySocket socket, int max) {
        GatewaySocket oldest = null;
        synchronized (this) {
            if (!hasRoom(max)) {
                refused.increment();
                return false;
            }
            if (all.size() >= max) {
                oldest = unauthenticated.iterator().next();
                remove(oldest);
            }
            all.add(socket);
            unauthenticated.add(socket);
        }
        if (oldest != null) {
            refused.increment();
            closer.accept(oldest);
        }
        return true;
    }

    /** Notes that a credential of the client was accepted. The socket then keeps its place. */
    synchronized void authenticated(GatewaySocket socket) {
        unauthenticated.remove(socket);
    }

    /** Removes a socket; does nothing if it has lost its place before. */
    synchronized void remove(GatewaySocket socket) {
        all.remove(socket);
        unauthenticated.remove(socket);
    }

    /** Returns a copy of the sockets. */
    Set<GatewaySocket> copy() {
        return Set.copyOf(all);
    }

    int size() {
        return all.size();
    }

    /** Returns the number of sockets that got no place or lost it. */
    long refused() {
        return refused.sum();
    }
}
