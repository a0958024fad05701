package dev.jitney.core.queue.state;

import dev.jitney.core.Lane;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The locks of a fragment: by token, by message, and in the order of expiry. Locks held by an open transaction are not in that order.
 */
final class LockTable {
    private final Map<UUID, MessageLock> byToken = new HashMap<>();
    private final Map<Lane, Map<Long, MessageLock>> byNumber = new EnumMap<>(Lane.class);
    private final LockOrder order = new LockOrder();

    LockTable() {
        for (Lane lane : Lane.values()) {
            byNumber.put(lane, new HashMap<>());
        }
    }

    int size() {
        return byToken.size();
    }

    int size(Lane lane) {
        return lane(lane).size();
    }

    @Nullable
    MessageLock find(UUID token) {
        return byToken.get(token);
    }

    @Nullable
    MessageLock find(Lane lane, long sequenceNumber) {
        return lane(lane).get(sequenceNumber);
    }

    /** Returns the lock that ends first, among the locks that do not end with their session. */
    @Nullable
    MessageLock first() {
        return order.first();
    }

    /** Returns locks whose time is over, among the same ones, those that ended first before the others. */
    List<MessageLock> ended(long nowMs, int countMax) {
        return order.ended(nowMs, countMax);
    }

    void forEach(Lane lane, Consumer<MessageLock> action) {
        lane(lane).values().forEach(action);
    }

    void add(MessageLock lock) {
        byToken.put(lock.token, lock);
        lane(lock.lane).put(lock.message.sequenceNumber, lock);
        if (lock.session == null) {
            order.add(lock);
        } else {
            lock.session.locks.put(lock.message.sequenceNumber, lock);
        }
    }

    void renew(MessageLock lock, long lockedUntilMs) {
        if (lock.transactionId != 0) {
            lock.lockedUntilMs(lockedUntilMs);
            return;
        }
        order.remove(lock);
        lock.lockedUntilMs(lockedUntilMs);
        order.add(lock);
    }

    /** Keeps a lock from ending, by time or with its session, until {@link #free}. */
    void hold(MessageLock lock, long transactionId) {
        if (lock.transactionId != 0) {
            return;
        }
        lock.transactionId = transactionId;
        if (lock.session == null) {
            order.remove(lock);
        } else {
            lock.session.freeze();
        }
    }

    void free(MessageLock lock) {
        if (lock.transactionId == 0) {
            return;
        }
        lock.transactionId = 0;
        if (lock.session == null) {
            order.add(lock);
        } else {
            lock.session.thaw();
        }
    }

    @Nullable
    MessageLock remove(Lane lane, long sequenceNumber) {
        MessageLock lock = lane(lane).remove(sequenceNumber);
        if (lock != null) {
            byToken.remove(lock.token);
            if (lock.session != null) {
                lock.session.locks.remove(sequenceNumber);
                if (lock.transactionId != 0) {
                    lock.session.thaw();
                }
            } else if (lock.transactionId == 0) {
                order.remove(lock);
            }
        }
        return lock;
    }

    private Map<Long, MessageLock> lane(Lane lane) {
        Map<Long, MessageLock> map = byNumber.get(lane);
        if (map == null) {
            throw new IllegalStateException("Expected a map for every lane, but " + lane + " has none.");
        }
        return map;
    }
}
