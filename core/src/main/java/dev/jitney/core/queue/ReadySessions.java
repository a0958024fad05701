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
    private final TreeSet<SessionHeadRow> first = new TreeSet<>();
    private @Nullable SessionHeadRow horizon;

    ReadySessions(int countMax) {
        this.countMax = countMax;
    }

    /** Starts without any in memory; there may be some in the store. */
    void startInStore() {
        first.clear();
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
        first.add(session);
        if (first.size() > countMax) {
            shrinkTo(countMax);
        }
    }

    void remove(SessionHeadRow session) {
        first.remove(session);
    }

    /** The next sessions in order, at most that many. */
    List<SessionHeadRow> head(int count) {
        return first.stream().limit(count).toList();
    }

    void shrinkTo(int count) {
        while (first.size() > count) {
            horizon = first.pollLast();
        }
    }

    /**
     * Takes over what the store has from the horizon on; called while nothing is in memory.
     *
     * @param page sessions that nobody holds among those read
     * @param next from where on the store may have more, or null if that was all
     */
    void page(List<SessionHeadRow> page, @Nullable SessionHeadRow next) {
        horizon = next;
        first.addAll(page);
    }

    /** The smallest number of a message that may wait in one of them, {@link Long#MAX_VALUE} if none waits. */
    long smallestNumber() {
        if (!first.isEmpty()) {
            return first.first().head();
        }
        return horizon == null ? Long.MAX_VALUE : horizon.head();
    }
}
