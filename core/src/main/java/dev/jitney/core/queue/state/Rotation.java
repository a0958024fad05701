package dev.jitney.core.queue.state;

import dev.jitney.core.RowWriter.SessionHeadRow;
import java.util.List;
import java.util.function.LongFunction;

/**
 * Gives sessions that were held their places behind all others that wait (SESS-5). Places and the numbers of first messages
 * are one order: a place is larger than every number and every place given out before. So a session that was never held
 * comes before those that were, unless its first message came later than they were released.
 */
final class Rotation {
    private long lastPlace;

    /**
     * Takes over the largest place in the store.
     *
     * @param lastNumber the largest sequence number given out
     * @param from the first session at a place or behind it, if there is one
     */
    void start(long lastNumber, LongFunction<List<SessionHeadRow>> from) {
        long has = lastNumber; // no place in use is larger, as far as is known
        long step = 1;
        List<SessionHeadRow> found = from.apply(has + 1);
        while (!found.isEmpty()) {
            has = found.get(0).place();
            found = from.apply(has + step);
            step *= 2;
        }
        // The last step went too far by less than itself; some places in it may be in use.
        for (long part = step / 2; part > 0; part /= 2) {
            found = from.apply(has + part);
            if (!found.isEmpty()) {
                has = found.get(0).place();
            }
        }
        lastPlace = has;
    }

    /** A place behind all others. */
    long nextPlace(long lastNumber) {
        lastPlace = Math.max(lastPlace, lastNumber) + 1;
        return lastPlace;
    }
}
