package dev.jitney.core.queue.state;

import dev.jitney.core.RowWriter.SessionHeadRow;
import dev.jitney.core.RowWriter.SessionRow;
import org.jspecify.annotations.Nullable;

/** What memory knows of a session; its row, and what of it is not written yet. Changed by {@link SessionTable} only. */
final class SessionEntry {
    /** The head of a session without active messages. */
    static final long NO_HEAD = Long.MAX_VALUE;

    final String id;
    long head = NO_HEAD;

    /** Where it was put behind the others when it was held last and had messages left, or 0 (SESS-5). */
    long place;

    long active;
    long messages;
    int stateSizeBytes = -1;
    long stateChangedAtMs;

    /** Whether there is a row of it. */
    boolean written;

    /** The place the store knows it by, {@link #NO_HEAD} if it does not. */
    long writtenPlace = NO_HEAD;

    /** Whether something is to be written. */
    boolean dirty;

    /** The hold on it, if there is one. */
    @Nullable
    HeldSession held;

    SessionEntry(String id, @Nullable SessionRow row) {
        this.id = id;
        if (row != null) {
            written = true;
            head = row.head();
            place = row.place();
            writtenPlace = placeNow();
            active = row.active();
            messages = row.messages();
            stateSizeBytes = row.stateSizeBytes();
            stateChangedAtMs = row.stateChangedAtMs();
        }
    }

    /** SESS-18. */
    boolean exists() {
        return messages > 0 || stateSizeBytes >= 0;
    }

    SessionRow row() {
        return new SessionRow(head, place, active, messages, stateSizeBytes, stateChangedAtMs);
    }

    /** Its place among the sessions that wait, {@link #NO_HEAD} if it has no active message. */
    long placeNow() {
        return Math.max(head, place);
    }

    SessionHeadRow headRow() {
        return new SessionHeadRow(placeNow(), id);
    }
}
