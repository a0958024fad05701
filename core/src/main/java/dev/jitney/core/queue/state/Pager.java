package dev.jitney.core.queue.state;

import dev.jitney.core.Lane;
import dev.jitney.core.RowReader;
import dev.jitney.core.RowWriter.MessageRow;

/**
 * Brings a page of available messages into a window: skips what is locked or deferred, stops when enough are there, and
 * moves the horizon behind the last one seen.
 */
final class Pager implements RowReader.Visitor {
    /** Rows looked at before other work gets its turn, even if all of them are deferred or locked. */
    private static final int SCANNED_MAX = 8_192;

    /** Bytes of messages brought in at once. */
    private static final long BYTES_MAX = 4L << 20;

    private final MessageWindow window;
    private final LockTable locks;
    private final Lane lane;
    private final int wanted;
    private int found;
    private int scanned;
    private long bytes;
    private long nextHorizon = MessageWindow.COMPLETE;

    Pager(MessageWindow window, LockTable locks, Lane lane, int wanted) {
        this.window = window;
        this.locks = locks;
        this.lane = lane;
        this.wanted = wanted;
    }

    @Override
    public boolean visit(MessageRow row) {
        long number = row.message().sequenceNumber();
        if (found == wanted || scanned == SCANNED_MAX || bytes > BYTES_MAX) {
            nextHorizon = number;
            return false;
        }
        scanned++;
        if (!row.deferred() && locks.find(lane, number) == null) {
            found++;
            bytes += row.message().content().sizeBytes();
            window.horizon(number + 1);
            window.add(QueuedMessage.of(row), row.message());
        }
        return true;
    }

    /** Sets the horizon to what was not seen; without an end of the walk everything is in memory now. */
    void close() {
        window.horizon(nextHorizon);
    }
}
