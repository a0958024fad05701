package dev.jitney.core.queue;

import dev.jitney.core.RowWriter.SessionHeadRow;
import dev.jitney.core.RowWriter.SessionRow;
import org.jspecify.annotations.Nullable;

/** What memory knows of a session; its row, and what of it is not written yet. Changed by {@link SessionTable} only. */
final class SessionEntry {
    /** The head of a session without active messages. */
    static final long NO_HEAD = Long.MAX_VALUE;

    final String id;
    long head = NO_HEAD;
    long active;
    long messages;
    int stateSizeBytes = -1;
    long stateChangedAtMs;

    /** Whether there is a row of it. */
    boolean written;

    /** The head the store knows it by, {@link #NO_HEAD} if it does not. */
    long writtenHead = NO_HEAD;

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
            writtenHead = row.head();
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
        return new SessionRow(head, active, messages, stateSizeBytes, stateChangedAtMs);
    }

    SessionHeadRow headRow() {
        return new SessionHeadRow(head, id);
    }
}
