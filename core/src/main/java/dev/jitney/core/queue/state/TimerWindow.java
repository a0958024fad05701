package dev.jitney.core.queue.state;

import dev.jitney.core.RowWriter.TimerRow;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The scheduled messages that are due first. Like in {@link MessageWindow}, messages before the horizon are in memory,
 * and the others are only in the store.
 */
final class TimerWindow {
    private static final Comparator<TimerRow> BY_TIME =
            Comparator.comparingLong(TimerRow::dueMs).thenComparingLong(TimerRow::sequenceNumber);
    private static final int ENTRIES_MAX = 1_024;

    private final TreeSet<TimerRow> timers = new TreeSet<>(BY_TIME);
    private @Nullable TimerRow horizon;

    /** The numbers of messages that a request holds in order to cancel them, with the request. */
    private final Map<Long, Long> held = new HashMap<>(2);

    /** Returns the first message that is not in memory, or null if all are. */
    @Nullable
    TimerRow horizon() {
        return horizon;
    }

    @Nullable
    TimerRow first() {
        return timers.isEmpty() ? null : timers.first();
    }

    /** Returns the time when the next message may be due: the first timer, or the horizon if there is none. */
    long nextDueMs() {
        for (TimerRow timer : timers) {
            if (!isHeld(timer)) {
                return timer.dueMs();
            }
        }
        return horizon == null ? Long.MAX_VALUE : horizon.dueMs();
    }

    boolean needsPage() {
        return timers.isEmpty() && horizon != null;
    }

    void startAt(TimerRow first) {
        horizon = first;
    }

    /**
     * Adds rows from the store that follow the horizon. There are no more if the store has returned fewer than
     * {@code countMax}.
     */
    void page(List<TimerRow> rows, int countMax) {
        if (rows.size() < countMax) {
            timers.addAll(rows);
            horizon = null;
        } else {
            timers.addAll(rows.subList(0, rows.size() - 1));
            horizon = rows.get(rows.size() - 1);
        }
    }

    /** Returns the number of rows of a page: one more than the window keeps, which becomes the horizon. */
    int pageSize() {
        return ENTRIES_MAX / 2 + 1;
    }

    void add(TimerRow timer) {
        if (horizon != null && BY_TIME.compare(timer, horizon) >= 0) {
            return;
        }
        timers.add(timer);
        if (timers.size() > ENTRIES_MAX) {
            horizon = timers.pollLast();
        }
    }

    void remove(TimerRow timer) {
        timers.remove(timer);
        held.remove(timer.sequenceNumber());
    }

    /** Keeps a message from being due, in memory or not, until it is freed or removed. */
    void hold(long sequenceNumber, long requestId) {
        held.put(sequenceNumber, requestId);
    }

    void free(long sequenceNumber) {
        held.remove(sequenceNumber);
    }

    /** Returns the request that holds a message, or 0. */
    long holder(long sequenceNumber) {
        return held.getOrDefault(sequenceNumber, 0L);
    }

    private boolean isHeld(TimerRow timer) {
        return !held.isEmpty() && held.containsKey(timer.sequenceNumber());
    }

    /** Returns the timers due at that time, in order. */
    List<TimerRow> due(long nowMs, int countMax) {
        return timers.headSet(new TimerRow(nowMs, Long.MAX_VALUE), true).stream()
                .filter(timer -> !isHeld(timer))
                .limit(countMax)
                .toList();
    }
}
