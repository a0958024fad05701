package dev.jitney.core.queue;

import dev.jitney.core.RowWriter.SessionHeadRow;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Sessions with active messages that nobody holds, those with the oldest first message first (SESS-5). Memory keeps the
 * first of them: all below the horizon; the others are in the store only. The horizon is null while memory has them all.
 */
final class ReadySessions {
    private final int countMax;
    private final MemoryBudget budget;
    private final TreeSet<SessionHeadRow> first = new TreeSet<>();
    private @Nullable SessionHeadRow horizon;

    ReadySessions(int countMax, MemoryBudget budget) {
        this.countMax = countMax;
        this.budget = budget;
    }

    /** Starts without any in memory; there may be some in the store. */
    void startInStore() {
        clear();
        horizon = new SessionHeadRow(Long.MIN_VALUE, "");
    }

    @Nullable
    SessionHeadRow horizon() {
        return horizon;
    }

    boolean isEmpty() {
        return first.isEmpty();
    }

    void add(SessionHeadRow session) {
        if (horizon != null && session.compareTo(horizon) >= 0) {
            return;
        }
        put(session);
        shrinkTo(countMax);
    }

    void remove(SessionHeadRow session) {
        if (first.remove(session)) {
            budget.addEntries(-1);
        }
    }

    /** The next sessions in order, at most that many. */
    List<SessionHeadRow> head(int count) {
        return first.stream().limit(count).toList();
    }

    void shrinkTo(int count) {
        while (first.size() > count) {
            horizon = first.pollLast();
            budget.addEntries(-1);
        }
    }

    /** Forgets everything, for a fragment that goes away. */
    void clear() {
        budget.addEntries(-first.size());
        first.clear();
    }

    /**
     * Takes over what the store has from the horizon on; called while nothing is in memory.
     *
     * @param page sessions that nobody holds among those read
     * @param next from where on the store may have more, or null if that was all
     */
    void page(List<SessionHeadRow> page, @Nullable SessionHeadRow next) {
        horizon = next;
        page.forEach(this::put);
    }

    private void put(SessionHeadRow session) {
        if (first.add(session)) {
            budget.addEntries(1);
        }
    }

    /** The smallest number of a message that may wait in one of them, {@link Long#MAX_VALUE} if none waits. */
    long smallestNumber() {
        if (!first.isEmpty()) {
            return first.first().head();
        }
        return horizon == null ? Long.MAX_VALUE : horizon.head();
    }
}
