package dev.jitney.core.queue.state;

import dev.jitney.core.RowWriter.SessionHeadRow;
import java.util.List;
import java.util.function.LongFunction;

/**
 * The places of released sessions, which put them behind all other waiting sessions (SESS-5). Places and the numbers of
 * first messages form one order: a place is larger than every number and every place assigned before. So a session that
 * was never held comes before sessions that were, unless its first message arrived after their release.
 */
final class Rotation {
    private long lastPlace;

    /**
     * Finds the largest place in the store.
     *
     * @param lastNumber the largest assigned sequence number
     * @param from reads the first session at or after a place, if there is one
     */
    void start(long lastNumber, LongFunction<List<SessionHeadRow>> from) {
        long has = lastNumber; // the largest known place in use
        long step = 1;
        List<SessionHeadRow> found = from.apply(has + 1);
        while (!found.isEmpty()) {
            has = found.get(0).place();
            found = from.apply(has + step);
            step *= 2;
        }
        // The last step may have gone too far, by less than its length; some places in it may be in use.
        for (long part = step / 2; part > 0; part /= 2) {
            found = from.apply(has + part);
            if (!found.isEmpty()) {
                has = found.get(0).place();
            }
        }
        lastPlace = has;
    }

    /** Returns a place behind all others. */
    long nextPlace(long lastNumber) {
        lastPlace = Math.max(lastPlace, lastNumber) + 1;
        return lastPlace;
    }
}
