package dev.jitney.server.front;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The connections that wait for a leader, the oldest first (CL-21). Their number is limited: one more closes the oldest, so
 * that a new client always gets its chance. For one thread.
 */
final class WaitingRoom {
    private final int max;
    private final Deque<FrontClient> clients = new ArrayDeque<>();

    WaitingRoom(int max) {
        this.max = max;
    }

    /** Adds a new connection. Returns the number of connections that were closed because of the limit. */
    int add(FrontClient client) {
        clients.addLast(client);
        return closeSurplus();
    }

    /** Adds a connection again that waited before, in front of later ones. Returns as {@link #add}. */
    int addAgain(FrontClient client) {
        clients.addFirst(client);
        return closeSurplus();
    }

    private int closeSurplus() {
        int closed = 0;
        while (clients.size() > max) {
            clients.removeFirst().close();
            closed++;
        }
        return closed;
    }

    /** Removes and returns the connection that has waited longest, or null. */
    @Nullable
    FrontClient next() {
        return clients.pollFirst();
    }

    /** Closes connections whose time is over. Returns their number. */
    int closeExpired(long nowNs) {
        int closed = 0;
        for (FrontClient first = clients.peekFirst();
                first != null && first.deadlineNs() - nowNs <= 0;
                first = clients.peekFirst()) {
            clients.removeFirst().close();
            closed++;
        }
        return closed;
    }

    int size() {
        return clients.size();
    }
}
