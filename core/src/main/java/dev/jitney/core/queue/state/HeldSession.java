package dev.jitney.core.queue.state;

import dev.jitney.core.queue.HeldSessionView;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;

/** A session that a receiver has to itself, with its messages in memory (SESS-7). Changed by {@link SessionTable} only. */
final class HeldSession implements HeldSessionView {
    final SessionEntry entry;
    final long receiverId;

    /** Its available messages. */
    final MessageWindow window;

    /** Its messages that are locked: delivered and not settled, or deferred and received by number. */
    final TreeMap<Long, MessageLock> locks = new TreeMap<>();

    private final Collection<MessageLock> locksView = Collections.unmodifiableCollection(locks.values());

    long lockedUntilMs;

    /** When one of its messages expired last while others were locked (TTL-30). */
    long expiredAtMs = Long.MIN_VALUE;

    /** The last message that was there then, and goes with it; 0 if none has expired. */
    long expiredUpTo;

    /** What open transactions have settled or set in it; until their outcome it does not end (TX-15). */
    private int frozen;

    /** Whether its receiver has gone meanwhile, so that it ends with the outcome. */
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

    /** A transaction has done something in it. */
    void freeze() {
        if (frozen++ == 0) {
            table.frozen(this);
        }
    }

    /** What a transaction did is done or undone. */
    void thaw() {
        if (--frozen == 0) {
            table.thawed(this);
        }
    }

    /** No active message of it has a smaller number. */
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
