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
 * The available messages of one lane that are in memory, in order of their numbers: always the head of the sequence.
 *
 * <p>Every available message with a number below {@link #horizon()} is here; those from the horizon on are in the store
 * only. The horizon is {@link #COMPLETE} while memory holds them all. A message that belongs below the horizon is added,
 * and if that makes the window too large its last ones are forgotten and the horizon falls to the first of them: nothing
 * is lost by that, because the store has every row.
 */
/*
 * New messages arrive in ascending order and go to a deque; abandoned and dead-lettered ones come back anywhere and go
 * to a tree. Both are ordered, so the head is the smaller of two heads.
 */
final class MessageWindow {
    /** The horizon of a window that lacks nothing. */
    static final long COMPLETE = Long.MAX_VALUE;

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

    /** Starts without any message in memory; all from {@code sequenceNumber} on are in the store. */
    void startAt(long sequenceNumber) {
        horizon = sequenceNumber;
    }

    void horizon(long sequenceNumber) {
        horizon = sequenceNumber;
    }

    /** Has all messages from a number on read from the store again, as far as memory was to have them. */
    void readAgainFrom(long sequenceNumber) {
        removeIf(message -> message.sequenceNumber >= sequenceNumber);
        horizon = Math.min(horizon, sequenceNumber);
    }

    /** Adds a message that became available; its content is kept if there is room. */
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

    /** Takes a message out, dropping its cached content; returns null if it is not here. */
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

    /** Takes out all that match, for sweeps that would otherwise search once per message. */
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

    /** The first messages in order, at most that many. */
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

    /** Keeps the first {@code keep} messages and forgets the others. */
    void shrinkTo(int keep) {
        forgetLast(size() - keep);
    }

    /** Forgets cached content but not the messages. */
    void dropContent() {
        arrived.forEach(this::dropContent);
        returned.values().forEach(this::dropContent);
    }

    /** Forgets everything, for a fragment that goes away. */
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
