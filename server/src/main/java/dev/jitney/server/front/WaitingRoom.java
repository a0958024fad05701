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
    private final Runnable onClosing;
    private final Deque<FrontClient> clients = new ArrayDeque<>();

    /**
     * @param max the maximum number of connections
     * @param onClosing is called just before a connection is closed because of the limit, or because its time is over
     */
    WaitingRoom(int max, Runnable onClosing) {
        this.max = max;
        this.onClosing = onClosing;
    }

    /** Adds a new connection. Closes the oldest ones above the limit. */
    void add(FrontClient client) {
        clients.addLast(client);
        closeSurplus();
    }

    /** Adds a connection again that waited before, in front of later ones. Closes as {@link #add}. */
    void addAgain(FrontClient client) {
        clients.addFirst(client);
        closeSurplus();
    }

    private void closeSurplus() {
        while (clients.size() > max) {
            closeFirst();
        }
    }

    private void closeFirst() {
        onClosing.run();
        clients.removeFirst().close();
    }

    /** Removes and returns the connection that has waited longest, or null. */
    @Nullable
    FrontClient next() {
        return clients.pollFirst();
    }

    /** Closes connections whose time is over. */
    void closeExpired(long nowNs) {
        for (FrontClient first = clients.peekFirst();
                first != null && first.deadlineNs() - nowNs <= 0;
                first = clients.peekFirst()) {
            closeFirst();
        }
    }

    int size() {
        return clients.size();
    }
}
