package dev.jitney.core.queue.state;

import dev.jitney.core.StoredMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The available messages of one lane that are in memory, in the order of their numbers: always the head of the sequence.
 *
 * <p>Every available message with a number below {@link #horizon()} is in the window; messages from the horizon on are
 * only in the store. The horizon is {@link #COMPLETE} while memory holds all messages. A message below the horizon is
 * added. If the window gets too large, its last messages are dropped and the horizon moves to the first of them. Nothing
 * is lost, because the store has every row.
 */
/*
 * New messages arrive in ascending order and are added to a deque. Abandoned and dead-lettered ones return at any place
 * and are added to a tree. Both are ordered, so the head is the smaller of two heads.
 */
final class MessageWindow {
    /** The horizon of a window that contains all messages. */
    static final long COMPLETE = Long.MAX_VALUE;

    /** The average content above which reading one message after another costs little more than a page of them. */
    private static final int LARGE_BYTES = 4_096;

    private final MemoryBudget budget;
    private final ArrayDeque<QueuedMessage> arrived = new ArrayDeque<>();
    private final TreeMap<Long, QueuedMessage> returned = new TreeMap<>();
    private long horizon = COMPLETE;

    MessageWindow(MemoryBudget budget) {
        this.budget = budget;
    }

    long horizon() {
        return horizon;
    }

    int size() {
        return arrived.size() + returned.size();
    }

    boolean isEmpty() {
        return arrived.isEmpty() && returned.isEmpty();
    }

    /** Starts without messages in memory; all messages from {@code sequenceNumber} on are in the store. */
    void startAt(long sequenceNumber) {
        horizon = sequenceNumber;
    }

    void horizon(long sequenceNumber) {
        horizon = sequenceNumber;
    }

    /** Moves the horizon to a number, so that messages from there on are read from the store again. */
    void readAgainFrom(long sequenceNumber) {
        removeIf(message -> message.sequenceNumber >= sequenceNumber);
        horizon = Math.min(horizon, sequenceNumber);
    }

    /** Adds a message that became available; its content is cached if the budget allows. */
    void add(QueuedMessage message, @Nullable StoredMessage content) {
        if (message.sequenceNumber >= horizon) {
            return;
        }
        if (content != null
                && message.cached() == null
                && budget.reserveContent(content.content().sizeBytes())) {
            message.cache(content);
        }
        QueuedMessage last = arrived.peekLast();
        if (last == null || last.sequenceNumber < message.sequenceNumber) {
            arrived.addLast(message);
        } else {
            returned.put(message.sequenceNumber, message);
        }
        budget.addEntries(1);
        if (size() > budget.windowEntriesMax()) {
            forgetLast(1);
        }
    }

    @Nullable
    QueuedMessage first() {
        QueuedMessage a = arrived.peekFirst();
        if (returned.isEmpty()) {
            return a;
        }
        QueuedMessage b = returned.firstEntry().getValue();
        return a == null || b.sequenceNumber < a.sequenceNumber ? b : a;
    }

    /** Removes a message and drops its cached content; returns null if it is not in the window. */
    @Nullable
    QueuedMessage remove(long sequenceNumber) {
        QueuedMessage first = arrived.peekFirst();
        QueuedMessage found;
        if (first != null && first.sequenceNumber == sequenceNumber) {
            found = arrived.pollFirst();
        } else {
            found = returned.remove(sequenceNumber);
            if (found == null) {
                found = removeArrived(sequenceNumber);
            }
        }
        if (found != null) {
            forgotten(found);
        }
        return found;
    }

    private @Nullable QueuedMessage removeArrived(long sequenceNumber) {
        QueuedMessage last = arrived.peekLast();
        if (last == null || last.sequenceNumber < sequenceNumber) {
            return null;
        }
        for (Iterator<QueuedMessage> all = arrived.iterator(); all.hasNext(); ) {
            QueuedMessage message = all.next();
            if (message.sequenceNumber == sequenceNumber) {
                all.remove();
                return message;
            }
            if (message.sequenceNumber > sequenceNumber) {
                return null;
            }
        }
        return null;
    }

    /** Removes all matching messages, for sweeps that would otherwise search once per message. */
    void removeIf(Predicate<QueuedMessage> condition) {
        Predicate<QueuedMessage> leaving = message -> {
            boolean matches = condition.test(message);
            if (matches) {
                forgotten(message);
            }
            return matches;
        };
        arrived.removeIf(leaving);
        returned.values().removeIf(leaving);
    }

    /** Returns the first messages in order, at most that many. */
    List<QueuedMessage> head(int countMax) {
        List<QueuedMessage> out = new ArrayList<>(Math.min(countMax, size()));
        Iterator<QueuedMessage> as = arrived.iterator();
        Iterator<QueuedMessage> bs = returned.values().iterator();
        QueuedMessage a = as.hasNext() ? as.next() : null;
        QueuedMessage b = bs.hasNext() ? bs.next() : null;
        while (out.size() < countMax && (a != null || b != null)) {
            if (b == null || (a != null && a.sequenceNumber < b.sequenceNumber)) {
                out.add(a);
                a = as.hasNext() ? as.next() : null;
            } else {
                out.add(b);
                b = bs.hasNext() ? bs.next() : null;
            }
        }
        return out;
    }

    /** Keeps the first {@code keep} messages and drops the others. */
    void shrinkTo(int keep) {
        forgetLast(size() - keep);
    }

    /**
     * Gives half of the cached content back, that of the last messages. Small messages are dropped with it, because a page of them is
     * read at less cost than one message after another. Large ones are kept without their content.
     */
    void halve() {
        long count = 0;
        long bytes = 0;
        for (QueuedMessage message : arrived) {
            count += message.cached() == null ? 0 : 1;
            bytes += cachedBytes(message);
        }
        boolean large = bytes > count * LARGE_BYTES;
        long left = bytes / 2;
        if (large) {
            for (Iterator<QueuedMessage> all = arrived.descendingIterator(); all.hasNext() && bytes > left; ) {
                QueuedMessage message = all.next();
                bytes -= cachedBytes(message);
                dropContent(message);
            }
        } else {
            while (bytes > left) {
                bytes -= cachedBytes(arrived.getLast());
                forgetLast(1 + returnedBehind(arrived.getLast()));
            }
        }
    }

    private int returnedBehind(QueuedMessage message) {
        return returned.tailMap(message.sequenceNumber).size();
    }

    private static int cachedBytes(QueuedMessage message) {
        StoredMessage cached = message.cached();
        return cached == null ? 0 : cached.content().sizeBytes();
    }

    /** Drops cached content but keeps the messages. */
    void dropContent() {
        arrived.forEach(this::dropContent);
        returned.values().forEach(this::dropContent);
    }

    /** Drops everything, for a fragment that is closed. */
    void clear() {
        removeIf(message -> true);
    }

    private void forgetLast(int count) {
        for (int i = 0; i < count; i++) {
            QueuedMessage a = arrived.peekLast();
            QueuedMessage b = returned.isEmpty() ? null : returned.lastEntry().getValue();
            QueuedMessage last;
            if (b == null || (a != null && a.sequenceNumber > b.sequenceNumber)) {
                last = arrived.pollLast();
            } else {
                last = returned.pollLastEntry().getValue();
            }
            if (last == null) {
                return;
            }
            forgotten(last);
            horizon = last.sequenceNumber;
        }
    }

    private void forgotten(QueuedMessage message) {
        dropContent(message);
        budget.addEntries(-1);
    }

    private void dropContent(QueuedMessage message) {
        StoredMessage cached = message.cached();
        if (cached != null) {
            message.cache(null);
            budget.releaseContent(cached.content().sizeBytes());
        }
    }
}
