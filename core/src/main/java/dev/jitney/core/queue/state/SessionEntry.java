package dev.jitney.core.queue.state;

import dev.jitney.core.RowWriter.SessionHeadRow;
import dev.jitney.core.RowWriter.SessionRow;
import org.jspecify.annotations.Nullable;

/** The data of a session in memory: its row, including unwritten changes. Changed only by {@link SessionTable}. */
final class SessionEntry {
    /** The head of a session without active messages. */
    static final long NO_HEAD = Long.MAX_VALUE;

    final String id;
    long head = NO_HEAD;

    /** The place behind the others that the session got when it was last released with messages left, or 0 (SESS-5). */
    long place;

    long active;
    long messages;
    int stateSizeBytes = -1;
    long stateChangedAtMs;

    /** True if the store has a row of the session. */
    boolean written;

    /** The place in the store, {@link #NO_HEAD} if the store has none. */
    long writtenPlace = NO_HEAD;

    /** True if changes must be written. */
    boolean dirty;

    /** The hold on the session, or null. */
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

    /** Returns whether the session exists (SESS-18). */
    boolean exists() {
        return messages > 0 || stateSizeBytes >= 0;
    }

    SessionRow row() {
        return new SessionRow(head, place, active, messages, stateSizeBytes, stateChangedAtMs);
    }

    /** Returns its place among the waiting sessions, {@link #NO_HEAD} if it has no active message. */
    long placeNow() {
        return Math.max(head, place);
    }

    SessionHeadRow headRow() {
        return new SessionHeadRow(placeNow(), id);
    }
}
