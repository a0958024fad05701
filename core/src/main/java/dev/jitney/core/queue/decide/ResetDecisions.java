package dev.jitney.core.queue.decide;

import dev.jitney.core.Decision;
import dev.jitney.core.DuplicateKey;
import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.Situation;
import dev.jitney.core.queue.HeldSessionView;
import dev.jitney.core.queue.LockView;
import dev.jitney.core.queue.QueueView;
import dev.jitney.core.queue.RowMessage;
import dev.jitney.core.queue.SessionsView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The decisions of tests about a whole entity: remove everything in it, and end its locks early. */
final class ResetDecisions {
    private static final List<Lane> LANES = List.of(Lane.MAIN, Lane.DEAD_LETTER, Lane.TRANSFER_DEAD_LETTER);

    private ResetDecisions() {}

    /**
     * Removes all messages in all states, all session states, and the history of duplicate detection, and ends the holds on
     * sessions. Receivers stay attached.
     */
    static Decision reset(QueueView queue, Situation now) {
        List<Record> records = new ArrayList<>();
        for (Lane lane : LANES) {
            now.rows().scan(queue.id(), lane, 0, Long.MAX_VALUE, row -> {
                RowMessage message = new RowMessage(row);
                records.add(new Record.MessageRemoved(
                        lane,
                        message.sequenceNumber(),
                        message.sizeBytes(),
                        message.deferred(),
                        message.changed(),
                        Record.RemovalCause.DELETED,
                        message.sharedBody(),
                        message.sessionId()));
                return true;
            });
        }
        now.rows().scan(queue.id(), Lane.SCHEDULED, 0, Long.MAX_VALUE, row -> {
            records.add(new Record.ScheduledMessageCancelled(
                    row.message().sequenceNumber(),
                    row.message().scheduledEnqueueTimeMs(),
                    row.message().sizeBytes()));
            return true;
        });
        int messages = records.size();
        forgetIds(queue, now, records);
        SessionsView sessions = queue.sessions();
        if (sessions != null) {
            endHolds(sessions, now, records);
            clearStates(queue, now, records);
        }
        return Decision.of(records, new Reply.Deleted(messages));
    }

    /**
     * Ends the locks of all delivered messages and the holds on all sessions, as if their time was over (LOCK-7, SESS-10).
     * Those that an open transaction uses stay.
     */
    static List<Record> loseLocks(QueueView queue, Situation now) {
        List<Record> records = new ArrayList<>();
        for (LockView lock : queue.endedLocks(Long.MAX_VALUE - 1, Integer.MAX_VALUE)) {
            records.add(new Record.MessageLockRenewed(lock.token(), now.nowMs()));
        }
        SessionsView sessions = queue.sessions();
        if (sessions != null) {
            endHolds(sessions, now, records);
        }
        return records;
    }

    /** Ends the lock of one message, or the hold on its session, as {@link #loseLocks} does. */
    static List<Record> loseLock(LockView lock, Situation now) {
        HeldSessionView held = lock.session();
        return List.of(
                held == null
                        ? new Record.MessageLockRenewed(lock.token(), now.nowMs())
                        : new Record.SessionLockRenewed(held.sessionId(), now.nowMs()));
    }

    /** The time of the holds ends now. So the timers end them in this turn, as they end every hold. */
    private static void endHolds(SessionsView sessions, Situation now, List<Record> records) {
        for (HeldSessionView held : sessions.endedLocks(Long.MAX_VALUE - 1, Integer.MAX_VALUE)) {
            records.add(new Record.SessionLockRenewed(held.sessionId(), now.nowMs()));
        }
    }

    private static void clearStates(QueueView queue, Situation now, List<Record> records) {
        now.rows().scanSessions(queue.id(), null, (id, row) -> {
            if (row.stateSizeBytes() >= 0) {
                records.add(new Record.SessionStateSet(id, null, now.nowMs()));
            }
            return true;
        });
    }

    /** Names every id, because later ids may belong to the same generation. */
    private static void forgetIds(QueueView queue, Situation now, List<Record> records) {
        for (long generationMs : queue.duplicates().generations()) {
            Set<DuplicateKey> ids = new HashSet<>(queue.duplicates().uncommitted(generationMs));
            ids.addAll(now.rows().acceptedIds(queue.id(), generationMs, Integer.MAX_VALUE));
            records.add(new Record.MessageIdsForgotten(generationMs, List.copyOf(ids)));
        }
    }
}
