package dev.jitney.core.queue.state;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Locks in the order in which they end.
 *
 * <p>All locks of an entity have the same duration, so a new or renewed lock almost always ends last. They are in a list that is searched
 * from its end, and from which removal is free. A lock whose place is far from the end, as after the rollback of a transaction, is in a tree
 * instead: many of them would cost a walk over all newer locks each.
 */
final class LockOrder {
    private static final int STEPS_MAX = 32;

    private static final Comparator<MessageLock> BY_END = Comparator.<MessageLock>comparingLong(
                    lock -> lock.lockedUntilMs())
            .thenComparing(lock -> lock.lane)
            .thenComparingLong(lock -> lock.message.sequenceNumber);

    private final TreeSet<MessageLock> older = new TreeSet<>(BY_END);
    private @Nullable MessageLock first;
    private @Nullable MessageLock last;

    /** Returns the lock that ends first. */
    @Nullable
    MessageLock first() {
        MessageLock oldest = older.isEmpty() ? null : older.first();
        MessageLock head = first;
        if (oldest == null || head == null) {
            return oldest == null ? head : oldest;
        }
        return oldest.lockedUntilMs() <= head.lockedUntilMs() ? oldest : head;
    }

    /** Returns locks whose time is over, those that ended first before the others. */
    List<MessageLock> ended(long nowMs, int countMax) {
        List<MessageLock> ended = new ArrayList<>();
        Iterator<MessageLock> tree = older.iterator();
        MessageLock inTree = tree.hasNext() ? tree.next() : null;
        MessageLock inList = first;
        while (ended.size() < countMax) {
            boolean fromTree = inTree != null && (inList == null || inTree.lockedUntilMs() <= inList.lockedUntilMs());
            MessageLock next = fromTree ? inTree : inList;
            if (next == null || next.lockedUntilMs() > nowMs) {
                break;
            }
            ended.add(next);
            if (fromTree) {
                inTree = tree.hasNext() ? tree.next() : null;
            } else {
                inList = next.later;
            }
        }
        return ended;
    }

    /** Adds a lock. Its end does not change before it is removed. */
    void add(MessageLock lock) {
        MessageLock before = last;
        int steps = 0;
        while (before != null && before.lockedUntilMs() > lock.lockedUntilMs()) {
            if (++steps > STEPS_MAX) {
                lock.isInTree = true;
                older.add(lock);
                return;
            }
            before = before.earlier;
        }
        lock.earlier = before;
        lock.later = before == null ? first : before.later;
        if (lock.later != null) {
            lock.later.earlier = lock;
        } else {
            last = lock;
        }
        if (before != null) {
            before.later = lock;
        } else {
            first = lock;
        }
    }

    /** Removes a lock that was added. */
    void remove(MessageLock lock) {
        if (lock.isInTree) {
            older.remove(lock);
            lock.isInTree = false;
            return;
        }
        if (lock.earlier != null) {
            lock.earlier.later = lock.later;
        } else {
            first = lock.later;
        }
        if (lock.later != null) {
            lock.later.earlier = lock.earlier;
        } else {
            last = lock.earlier;
        }
        lock.earlier = null;
        lock.later = null;
    }
}
