package dev.jitney.core.queue.state;

import dev.jitney.core.RowWriter.SessionHeadRow;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sessions with active messages that nobody holds, by their places (SESS-5). Memory keeps the first of them: all below the
 * horizon; the others are in the store only. The horizon is null while memory has them all.
 */
final class ReadySessions {
    private final int countMax;
    private final MemoryBudget budget;

    /** The number that no active message of the session is below, by its place. */
    private final TreeMap<SessionHeadRow, Long> first = new TreeMap<>();

    private @Nullable SessionHeadRow horizon;

    /** No session in the store only whose place is larger than its messages' numbers has a smaller one. */
    private long putBackFrom = Long.MAX_VALUE;

    ReadySessions(int countMax, MemoryBudget budget) {
        this.countMax = countMax;
        this.budget = budget;
    }

    /**
     * Starts without any in memory; there may be some in the store.
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

    /** @param head no active message of the session has a smaller number */
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

    /** A session is in the store only. */
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

    /** The next sessions in order, at most that many. */
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

    /** Forgets everything, for a fragment that goes away. */
    void clear() {
        budget.addEntries(-first.size());
        first.clear();
    }

    /**
     * Takes over that the store's sessions were read from the horizon on; they are added then. Called while nothing is in
     * memory.
     *
     * @param next from where on the store may have more, or null if that was all
     */
    void page(@Nullable SessionHeadRow next) {
        horizon = next;
        if (next == null) {
            putBackFrom = Long.MAX_VALUE;
        }
    }

    /** The smallest number of a message that may wait in one of them, {@link Long#MAX_VALUE} if none waits. */
    long smallestNumber() {
        long smallest = horizon == null ? Long.MAX_VALUE : Math.min(horizon.place(), putBackFrom);
        for (long head : first.values()) {
            smallest = Math.min(smallest, head);
        }
        return smallest;
    }
}
