package dev.jitney.runtime.shard.entity;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Locks of one fragment whose messages no application has received. Either a connection keeps the message for its next
 * receive (PART-13), or the message is about to be delivered or released. When such a lock expires, the delivery count
 * does not increase (PART-60).
 *
 * <table>
 * <caption>States of a lock</caption>
 * <tr><th>state</th><th>ends when</th></tr>
 * <tr><td>kept</td><td>the connection claims it, it expires, or the fragment recalls it for another receiver</td></tr>
 * <tr><td>claimed</td><td>the message is delivered or released, or the lock expires before that</td></tr>
 * </table>
 *
 * <p>Any thread may call it.
 */
public final class UnclaimedLocks {
    private final Map<UUID, State> locks = new ConcurrentHashMap<>(1);

    /** True if some receiver of the fragment waits for a message, so that locks kept from now on are recalled. */
    private volatile boolean awaited;

    private enum State {
        KEPT,
        CLAIMED
    }

    /**
     * Adds a lock that a connection keeps unclaimed.
     *
     * @return whether another receiver may wait for the message, so that the fragment must check
     */
    public boolean keep(UUID token) {
        locks.put(token, State.KEPT);
        return awaited; // after the put: either this sees the waiting receiver, or the fragment sees the lock
    }

    /** Claims a lock for delivery or release. Returns false if it has expired or was recalled. */
    public boolean claim(UUID token) {
        return locks.replace(token, State.KEPT, State.CLAIMED);
    }

    /** Adds a claimed lock, or claims one in any state. */
    public void addClaimed(UUID token) {
        locks.put(token, State.CLAIMED);
    }

    /** Returns whether the lock is kept and unclaimed. */
    public boolean isKept(UUID token) {
        return locks.get(token) == State.KEPT;
    }

    /** Removes a lock: its message was delivered or released, or the lock was lost with the state in memory. */
    public void forget(UUID token) {
        locks.remove(token);
    }

    /** Removes all locks of the fragment, which were lost with the state in memory. */
    public void forgetAll() {
        locks.clear();
    }

    /** Removes and returns the unclaimed locks among locks that have expired. For the shard's thread. */
    public List<UUID> takeEnded(List<UUID> tokens) {
        return locks.isEmpty()
                ? List.of()
                : tokens.stream().filter(token -> locks.remove(token) != null).toList();
    }

    /** Sets whether some receiver waits for a message, before {@link #kept} is called. For the shard's thread. */
    public void setAwaited(boolean now) {
        if (awaited != now) {
            awaited = now;
        }
    }

    /** Returns the locks that may be recalled now. */
    public Collection<UUID> kept() {
        return locks.isEmpty()
                ? List.of()
                : locks.entrySet().stream()
                        .filter(lock -> lock.getValue() == State.KEPT)
                        .map(Map.Entry::getKey)
                        .toList();
    }

    /**
     * Takes a lock back from its connection. Returns false if the connection has claimed it. For the shard's thread.
     */
    public boolean recall(UUID token) {
        return locks.remove(token, State.KEPT);
    }
}
