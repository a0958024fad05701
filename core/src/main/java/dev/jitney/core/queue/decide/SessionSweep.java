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
 * The joint expiry of the messages of a session (TTL-29). When one message has expired, all messages that are neither
 * locked nor deferred are removed with it; locked ones follow when the session's lock ends (TTL-30).
 */
final class SessionSweep {
    /** The number of rows of one session that are read at once. */
    private static final int PAGE = 256;

    /** The maximum content that one decision moves; the last message may exceed it. */
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

    /** Returns whether another message of the session already removes the message. */
    boolean hasTaken(MessageRow row) {
        return taken.contains(row.message().sequenceNumber());
    }

    /**
     * Removes the other messages of a session.
     *
     * @param expired the message that has expired; it must be removed last, so that the next call finds it again if this
     *     one is incomplete
     * @return false if there are too many messages for this call
     */
    boolean takeOthers(MessageRow expired, int countMax) {
        String id = expired.message().sessionId();
        if (id == null || done.contains(id)) {
            return true;
        }
        HeldSessionView held = sessions.held(id);
        long upTo = Long.MAX_VALUE;
        if (held != null && expired.message().expiresAtMs() <= held.expiredAtMs()) {
            upTo = held.expiredUpTo(); // found before; later messages stay
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
