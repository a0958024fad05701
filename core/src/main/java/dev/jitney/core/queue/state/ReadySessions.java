package dev.jitney.core.queue.state;

import dev.jitney.core.RowWriter.SessionHeadRow;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The sessions with active messages that no receiver holds, in the order of their places (SESS-5). Memory holds the first
 * ones, those below the horizon; the others are only in the store. The horizon is null while memory holds all of them.
 */
final class ReadySessions {
    private final int countMax;
    private final MemoryBudget budget;

    /** For each session a lower bound of the numbers of its active messages, by its place. */
    private final TreeMap<SessionHeadRow, Long> first = new TreeMap<>();

    private @Nullable SessionHeadRow horizon;

    /**
     * A lower bound of the message numbers of sessions that are only in the store and whose place is larger than the
     * numbers of their messages.
     */
    private long putBackFrom = Long.MAX_VALUE;

    ReadySessions(int countMax, MemoryBudget budget) {
        this.countMax = countMax;
        this.budget = budget;
    }

    /**
     * Starts without sessions in memory; there may be some in the store.
     *
     * @param smallestNumber no message of them has a smaller number
     */
    void startInStore(long smallestNumber) {
        clear();
        horizon = new SessionHeadRow(Long.MIN_VALUE, "");
        putBackFrom = smallestNumber;
    }

    @Nullable
    SessionHeadRow horizon() {
        return horizon;
    }

    boolean isEmpty() {
        return first.isEmpty();
    }

    /**
     * Adds a session.
     *
     * @param head no active message of the session has a smaller number
     */
    void add(SessionHeadRow session, long head) {
        if (horizon != null && session.compareTo(horizon) >= 0) {
            left(session, head);
            return;
        }
        if (first.put(session, head) == null) {
            budget.addEntries(1);
        }
        shrinkTo(countMax);
    }

    /** Notes a session that is only in the store. */
    private void left(SessionHeadRow session, long head) {
        if (head < session.place()) {
            putBackFrom = Math.min(putBackFrom, head);
        }
    }

    void remove(SessionHeadRow session) {
        if (first.remove(session) != null) {
            budget.addEntries(-1);
        }
    }

    /** Returns the next sessions in order, at most that many. */
    List<SessionHeadRow> head(int count) {
        return first.keySet().stream().limit(count).toList();
    }

    void shrinkTo(int count) {
        while (first.size() > count) {
            Map.Entry<SessionHeadRow, Long> last = first.pollLastEntry();
            horizon = last.getKey();
            left(last.getKey(), last.getValue());
            budget.addEntries(-1);
        }
    }

    /** Drops everything, for a fragment that is closed. */
    void clear() {
        budget.addEntries(-first.size());
        first.clear();
    }

    /**
     * Notes that sessions were read from the store, starting at the horizon; the caller adds them afterwards. Called when
     * memory holds none.
     *
     * @param next the start of the next read, or null if the store has no more
     */
    void page(@Nullable SessionHeadRow next) {
        horizon = next;
        if (next == null) {
            putBackFrom = Long.MAX_VALUE;
        }
    }

    /** Returns a lower bound of the numbers of messages in these sessions, {@link Long#MAX_VALUE} if there are none. */
    long smallestNumber() {
        long smallest = horizon == null ? Long.MAX_VALUE : Math.min(horizon.place(), putBackFrom);
        for (long head : first.values()) {
            smallest = Math.min(smallest, head);
        }
        return smallest;
    }
}
