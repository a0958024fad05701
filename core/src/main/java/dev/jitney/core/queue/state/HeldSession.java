package dev.jitney.core.queue.state;

import dev.jitney.core.queue.HeldSessionView;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;

/** A session that a receiver holds, with its messages in memory (SESS-7). Changed only by {@link SessionTable}. */
final class HeldSession implements HeldSessionView {
    final SessionEntry entry;
    final long receiverId;

    /** Its available messages. */
    final MessageWindow window;

    /** Its locked messages: delivered and not settled, or deferred and received by number. */
    final TreeMap<Long, MessageLock> locks = new TreeMap<>();

    private final Collection<MessageLock> locksView = Collections.unmodifiableCollection(locks.values());

    long lockedUntilMs;

    /** The time when one of its messages last expired while others were locked (TTL-30). */
    long expiredAtMs = Long.MIN_VALUE;

    /** The last message that existed at that time, and which expires with it; 0 if none has expired. */
    long expiredUpTo;

    /**
     * The number of pending settlements and state changes of open transactions; the hold does not end before their
     * outcome (TX-15).
     */
    private int frozen;

    /** True if its receiver has detached meanwhile, so that the hold ends with the outcome. */
    boolean left;

    private final SessionTable table;

    HeldSession(SessionTable table, SessionEntry entry, long receiverId, MessageWindow window, long lockedUntilMs) {
        this.table = table;
        this.entry = entry;
        this.receiverId = receiverId;
        this.window = window;
        this.lockedUntilMs = lockedUntilMs;
    }

    @Override
    public String sessionId() {
        return entry.id;
    }

    @Override
    public long receiverId() {
        return receiverId;
    }

    @Override
    public long lockedUntilMs() {
        return lockedUntilMs;
    }

    @Override
    public Collection<MessageLock> locks() {
        return locksView;
    }

    @Override
    public List<QueuedMessage> head(int countMax) {
        return window.head(countMax);
    }

    @Override
    public int availableCount() {
        return window.size();
    }

    @Override
    public boolean hasMoreInStore() {
        return window.horizon() != MessageWindow.COMPLETE;
    }

    @Override
    public int stateSizeBytes() {
        return entry.stateSizeBytes;
    }

    @Override
    public long expiredAtMs() {
        return expiredAtMs;
    }

    @Override
    public long expiredUpTo() {
        return expiredUpTo;
    }

    @Override
    public boolean hasLostReceiver() {
        return left;
    }

    @Override
    public boolean isFrozen() {
        return frozen > 0;
    }

    /** Adds a pending change of a transaction. */
    void freeze() {
        if (frozen++ == 0) {
            table.frozen(this);
        }
    }

    /** Removes a pending change after the outcome of its transaction. */
    void thaw() {
        if (--frozen == 0) {
            table.thawed(this);
        }
    }

    /** Returns a number such that no active message of the session has a smaller one. */
    long smallestNumber() {
        QueuedMessage first = window.first();
        long smallest = first == null ? window.horizon() : first.sequenceNumber;
        for (MessageLock lock : locks.values()) {
            if (!lock.message.deferred()) {
                return Math.min(smallest, lock.message.sequenceNumber);
            }
        }
        return smallest;
    }
}
