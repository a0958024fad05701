package dev.jitney.core.queue.decide;

import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.RowWriter.MessageRow;
import dev.jitney.core.Situation;
import dev.jitney.core.queue.HeldSessionView;
import dev.jitney.core.queue.QueueView;
import dev.jitney.core.queue.QueuedMessageView;
import dev.jitney.core.queue.RowMessage;
import dev.jitney.core.queue.SessionsView;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Has the messages of a session expire together (TTL-29): with one that has expired go all that are neither locked nor
 * deferred; locked ones follow when the session's lock ends (TTL-30).
 */
final class SessionSweep {
    /** Rows of one session looked at in one go. */
    private static final int PAGE = 256;

    /** Content one decision moves at most, besides a last message that may be larger. */
    private static final long MOVED_BYTES_MAX = 4L << 20;

    private final QueueView queue;
    private final SessionsView sessions;
    private final Situation now;
    private final List<Record> records;
    private final Set<Long> taken = new HashSet<>();
    private final Set<String> done = new HashSet<>();
    private long bytes;

    SessionSweep(QueueView queue, SessionsView sessions, Situation now, List<Record> records) {
        this.queue = queue;
        this.sessions = sessions;
        this.now = now;
        this.records = records;
    }

    /** Whether the message goes already with another one of its session. */
    boolean hasTaken(MessageRow row) {
        return taken.contains(row.message().sequenceNumber());
    }

    /**
     * Takes the other messages of a session.
     *
     * @param expired the message that has expired; it is to go last, so that a sweep that was cut short finds it again
     * @return false if there are too many for this time
     */
    boolean takeOthers(MessageRow expired, int countMax) {
        String id = expired.message().sessionId();
        if (id == null || done.contains(id)) {
            return true;
        }
        HeldSessionView held = sessions.held(id);
        long upTo = Long.MAX_VALUE;
        if (held != null && expired.message().expiresAtMs() <= held.expiredAtMs()) {
            upTo = held.expiredUpTo(); // it was noticed before; what came since stays
        } else {
            done.add(id);
            if (held != null) {
                records.add(new Record.SessionExpired(id, now.nowMs()));
            }
        }
        long from = 0;
        for (List<Long> page = page(id, from); !page.isEmpty(); page = page(id, from)) {
            for (long number : page) {
                if (number > upTo) {
                    return true;
                }
                if (records.size() >= countMax || bytes > MOVED_BYTES_MAX) {
                    return false;
                }
                from = number + 1;
                take(number, expired.message().sequenceNumber());
            }
        }
        return true;
    }

    private List<Long> page(String id, long from) {
        return now.rows().sessionMessages(queue.id(), id, from, PAGE);
    }

    private void take(long number, long expiredNumber) {
        if (number == expiredNumber || queue.lock(Lane.MAIN, number) != null || !taken.add(number)) {
            return;
        }
        MessageRow row = now.rows().message(queue.id(), Lane.MAIN, number);
        if (row == null || row.deferred()) {
            return;
        }
        QueuedMessageView message = new RowMessage(row);
        bytes += message.sizeBytes();
        records.add(FailedDelivery.expired(queue, message, message.deliveryCount(), message.overrides(), now));
    }
}
