package dev.jitney.runtime.shard.entity;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Locks of one fragment whose messages no application has got: a connection keeps them for its next
 * receive (PART-13), or one is about to be handed out or given back. They end without counting (PART-60).
 *
 * <table>
 * <caption>What becomes of such a lock</caption>
 * <tr><th>state</th><th>is left when</th></tr>
 * <tr><td>kept</td><td>the connection claims it, its time is over, or the fragment recalls it for another receiver</td></tr>
 * <tr><td>claimed</td><td>its hand-out or its release is over, or its time is over before that</td></tr>
 * </table>
 *
 * <p>Any thread may call it.
 */
public final class UnclaimedLocks {
    private final Map<UUID, State> locks = new ConcurrentHashMap<>(1);

    /** Whether some receiver of the fragment finds no message, so that a lock that is kept from now on is recalled. */
    private volatile boolean awaited;

    private enum State {
        KEPT,
        CLAIMED
    }

    /**
     * Nobody has asked for it yet.
     *
     * @return whether another receiver may wait for it, so that the fragment is to look
     */
    public boolean keep(UUID token) {
        locks.put(token, State.KEPT);
        return awaited; // after the put: either this sees that somebody waits, or the fragment sees the lock
    }

    /** It is to be handed out or given back, if it has not ended and was not recalled before. */
    public boolean claim(UUID token) {
        return locks.replace(token, State.KEPT, State.CLAIMED);
    }

    /** As {@link #claim}, for a lock that was not kept, or that is claimed already. */
    public void addClaimed(UUID token) {
        locks.put(token, State.CLAIMED);
    }

    /** Whether it waits to be claimed. */
    public boolean isKept(UUID token) {
        return locks.get(token) == State.KEPT;
    }

    /** What was claimed was handed out or given back, or the lock has gone with the memory of the store. */
    public void forget(UUID token) {
        locks.remove(token);
    }

    /** All locks of the fragment have gone with the memory of its store. */
    public void forgetAll() {
        locks.clear();
    }

    /** Of locks that have ended, those that nobody has got. For the shard's thread. */
    public List<UUID> takeEnded(List<UUID> tokens) {
        return locks.isEmpty()
                ? List.of()
                : tokens.stream().filter(token -> locks.remove(token) != null).toList();
    }

    /** Tells whether some receiver finds no message, before {@link #kept} is asked. For the shard's thread. */
    public void setAwaited(boolean now) {
        if (awaited != now) {
            awaited = now;
        }
    }

    /** Those that may be recalled now. */
    public Collection<UUID> kept() {
        return locks.isEmpty()
                ? List.of()
                : locks.entrySet().stream()
                        .filter(lock -> lock.getValue() == State.KEPT)
                        .map(Map.Entry::getKey)
                        .toList();
    }

    /** Takes one from its connection, if that has not claimed it meanwhile. For the shard's thread. */
    public boolean recall(UUID token) {
        return locks.remove(token, State.KEPT);
    }
}
