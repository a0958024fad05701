package dev.jitney.core.queue.decide;

import dev.jitney.core.Command;
import dev.jitney.core.Decision;
import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.RowWriter.MessageRow;
import dev.jitney.core.RowWriter.SessionRow;
import dev.jitney.core.SessionPlace;
import dev.jitney.core.SessionSummary;
import dev.jitney.core.Situation;
import dev.jitney.core.queue.HeldSessionView;
import dev.jitney.core.queue.QueueView;
import dev.jitney.core.queue.SessionsView;
import dev.jitney.model.ErrorCode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decisions on sessions for operators: a list, one session, and changes. One command looks at few sessions, so that it does not hold
 * the shard up; the operator continues with the next command.
 */
final class ChosenSessions {
    /** The maximum of sessions that one command looks at. */
    static final int SCANNED_MAX = 512;

    /** The maximum of sessions that one command lists, each of which costs the read of a message. */
    static final int LISTED_MAX = 32;

    /** The maximum of messages of a session that are read in order to find the first one that is not deferred. */
    static final int FIRST_READS_MAX = 8;

    /** The maximum of bytes of messages that one command reads, unless a single message has more. */
    static final long READ_BYTES_MAX = 1 << 20;

    private final QueueView queue;
    private final SessionsView sessions;
    private final Situation now;
    private long readBytes;

    private ChosenSessions(QueueView queue, SessionsView sessions, Situation now) {
        this.queue = queue;
        this.sessions = sessions;
        this.now = now;
    }

    static Decision browse(QueueView queue, Command.BrowseSessions command, Situation now) {
        if (queue.sessions() == null) {
            return withoutSessions(queue);
        }
        if (command.sessionCount() < 1) {
            return Decision.reject(
                    ErrorCode.OUT_OF_RANGE,
                    "Expected a session count of 1 or more, but got " + command.sessionCount() + ".");
        }
        return Decision.reply(new ChosenSessions(queue, queue.sessions(), now).page(command));
    }

    static Decision read(QueueView queue, Command.ReadSession command, Situation now) {
        if (queue.sessions() == null) {
            return withoutSessions(queue);
        }
        String id = command.sessionId();
        SessionRow row = queue.sessions().row(id);
        if (row == null && queue.sessions().held(id) == null) {
            return Decision.reply(new Reply.SessionFound(null, null));
        }
        boolean withState = command.withState() && row != null && row.stateSizeBytes() >= 0;
        return Decision.reply(new Reply.SessionFound(
                new ChosenSessions(queue, queue.sessions(), now).summary(id, row),
                withState ? now.rows().sessionState(queue.id(), id) : null));
    }

    static Decision change(QueueView queue, Command.ChangeSession command, Situation now) {
        if (queue.sessions() == null) {
            return withoutSessions(queue);
        }
        String id = command.sessionId();
        SessionRow row = queue.sessions().row(id);
        HeldSessionView held = queue.sessions().held(id);
        long lockedUntilMs = lockedUntilMs(held, now);
        boolean locked = lockedUntilMs > 0;
        if (row == null && held == null) {
            return Decision.reject(
                    ErrorCode.MESSAGE_NOT_FOUND,
                    "There is no session '" + id + "'. A session exists while it has messages, a state or a receiver.");
        }
        if (held != null && held.isFrozen()) {
            return refused("The session '" + id + "' is used in an open transaction, which ends within two minutes.");
        }
        if (locked && !command.unlocks()) {
            return refused("The session '" + id + "' is locked until " + Instant.ofEpochMilli(lockedUntilMs)
                    + ", and its receiver may be using the state. Wait, or unlock it in the same request.");
        }
        List<Record> records = new ArrayList<>();
        if (locked) {
            // Its time ends now. So the timers end the hold in this turn, as they end every hold.
            records.add(new Record.SessionLockRenewed(id, now.nowMs()));
        }
        if (command.clearsState() && row != null && row.stateSizeBytes() >= 0) {
            records.add(new Record.SessionStateSet(id, null, now.nowMs()));
        }
        if (records.isEmpty()) {
            return refused("The session '" + id + (command.clearsState() ? "' has no state." : "' is not locked."));
        }
        return Decision.done(records);
    }

    private static Decision withoutSessions(QueueView queue) {
        return refused("'" + queue.description().path() + "' does not require sessions.");
    }

    private static Decision refused(String sentence) {
        return Decision.reject(ErrorCode.INVALID_OPERATION, sentence);
    }

    private record Row(String id, SessionRow session) {}

    private Reply.SessionPage page(Command.BrowseSessions command) {
        List<Row> rows = new ArrayList<>();
        int countMax = Math.min(command.sessionCount(), LISTED_MAX);
        int[] scanned = {0};
        String[] last = {command.from().afterSessionId()};
        boolean[] over = {true};
        now.rows().scanSessions(queue.id(), command.from().afterSessionId(), (id, row) -> {
            scanned[0]++;
            last[0] = id;
            if (id.contains(command.contains())) {
                rows.add(new Row(id, row));
            }
            over[0] = scanned[0] < SCANNED_MAX && rows.size() < countMax;
            return over[0];
        });
        List<SessionSummary> found = new ArrayList<>();
        for (Row row : rows) {
            if (readBytes >= READ_BYTES_MAX) { // the next command lists the others
                SessionPlace rest = place(command, found.get(found.size() - 1).sessionId());
                return new Reply.SessionPage(found, scanned[0], rest, 0);
            }
            found.add(summary(row.id(), row.session()));
        }
        return new Reply.SessionPage(found, scanned[0], over[0] ? null : place(command, last[0]), 0);
    }

    private static SessionPlace place(Command.BrowseSessions command, @Nullable String afterSessionId) {
        return new SessionPlace(command.from().fragment(), afterSessionId);
    }

    private SessionSummary summary(String id, @Nullable SessionRow row) {
        MessageRow first = row == null || row.active() == 0 ? null : first(id, row.head());
        HeldSessionView held = sessions.held(id);
        long lockedUntilMs = lockedUntilMs(held, now);
        return new SessionSummary(
                id,
                row == null ? 0 : row.active(),
                row == null ? 0 : row.messages() - row.active(),
                first == null ? 0 : first.message().sequenceNumber(),
                first == null ? 0 : first.message().enqueuedTimeMs(),
                row == null ? -1 : row.stateSizeBytes(),
                row == null ? 0 : row.stateChangedAtMs(),
                held == null || lockedUntilMs == 0 ? 0 : held.receiverId(),
                lockedUntilMs,
                "");
    }

    /** Returns the end of the lock on a session, or 0 if no receiver has locked it. */
    private static long lockedUntilMs(@Nullable HeldSessionView held, Situation now) {
        return held != null && held.lockedUntilMs() > now.nowMs() ? held.lockedUntilMs() : 0;
    }

    /** Returns the first message from a number on that is not deferred, or null if it is not among the first ones. */
    private @Nullable MessageRow first(String id, long from) {
        for (long number : now.rows().sessionMessages(queue.id(), id, from, FIRST_READS_MAX)) {
            MessageRow row = now.rows().message(queue.id(), Lane.MAIN, number);
            if (row != null) {
                readBytes += row.message().content().sizeBytes();
            }
            if (row != null && !row.deferred()) {
                return row;
            }
            if (readBytes >= READ_BYTES_MAX) {
                return null;
            }
        }
        return null;
    }
}
