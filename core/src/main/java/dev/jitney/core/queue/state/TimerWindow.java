package dev.jitney.core.queue.state;

import dev.jitney.core.RowWriter.TimerRow;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The scheduled messages that are due first. As {@link MessageWindow}: everything before the horizon is here, the rest is
 * in the store.
 */
final class TimerWindow {
    private static final Comparator<TimerRow> BY_TIME =
            Comparator.comparingLong(TimerRow::dueMs).thenComparingLong(TimerRow::sequenceNumber);
    private static final int ENTRIES_MAX = 1_024;

    private final TreeSet<TimerRow> timers = new TreeSet<>(BY_TIME);
    private @Nullable TimerRow horizon;

    /** Numbers of messages that requests hold which may cancel them, with the requests. */
    private final Map<Long, Long> held = new HashMap<>(2);

    /** Null if all are in memory, else the first that is not. */
    @Nullable
    TimerRow horizon() {
        return horizon;
    }

    @Nullable
    TimerRow first() {
        return timers.isEmpty() ? null : timers.first();
    }

    /** When something may be due: the first timer, or the horizon if it comes earlier. */
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

    /** Takes rows from the store that follow the horizon; {@code complete} if there are no more. */
    void page(List<TimerRow> rows, int countMax) {
        if (rows.size() < countMax) {
            timers.addAll(rows);
            horizon = null;
        } else {
            timers.addAll(rows.subList(0, rows.size() - 1));
            horizon = rows.get(rows.size() - 1);
        }
    }

    /** How many rows a page asks for: one more than it keeps, which becomes the horizon. */
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

    /** The request that holds a message, or 0. */
    long holder(long sequenceNumber) {
        return held.getOrDefault(sequenceNumber, 0L);
    }

    private boolean isHeld(TimerRow timer) {
        return !held.isEmpty() && held.containsKey(timer.sequenceNumber());
    }

    /** Timers due at that time, in order. */
    List<TimerRow> due(long nowMs, int countMax) {
        return timers.headSet(new TimerRow(nowMs, Long.MAX_VALUE), true).stream()
                .filter(timer -> !isHeld(timer))
                .limit(countMax)
                .toList();
    }
}
