package dev.jitney.core.queue.state;

import dev.jitney.core.Lane;
import dev.jitney.core.RowReader;
import dev.jitney.core.RowWriter.MessageRow;

/**
 * A read of a page of available messages into a window. It skips locked and deferred messages, stops when enough messages
 * are in the window, and moves the horizon after the last row that was read.
 */
final class Pager implements RowReader.Visitor {
    /** The maximum number of rows read before other work runs, even if all of them are deferred or locked. */
    private static final int SCANNED_MAX = 8_192;

    /** The maximum bytes of messages read at once. */
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
        bytes += row.message().content().sizeBytes();
        if (!row.deferred() && locks.find(lane, number) == null) {
            found++;
            window.horizon(number + 1);
            window.add(QueuedMessage.of(row), row.message());
        }
        return true;
    }

    /** Sets the horizon to the first row that was not read; if all rows were read, memory holds all messages. */
    void close() {
        window.horizon(nextHorizon);
    }
}
