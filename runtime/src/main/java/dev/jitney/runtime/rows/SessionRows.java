package dev.jitney.runtime.rows;

import dev.jitney.core.RowWriter.SessionRow;
import dev.jitney.runtime.store.StoreException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Values of SESSIONS and SESSION_STATES ({@code docs/formats.md}). */
final class SessionRows {
    private static final int OLDEST_SESSION_VERSION = 1;
    private static final int SESSION_VERSION = 2;
    private static final int VERSION = 1;

    private SessionRows() {}

    static byte[] session(SessionRow row) {
        return ByteBuffer.allocate(45)
                .put((byte) SESSION_VERSION)
                .putLong(row.head())
                .putLong(row.place())
                .putLong(row.active())
                .putLong(row.messages())
                .putInt(row.stateSizeBytes())
                .putLong(row.stateChangedAtMs())
                .array();
    }

    static SessionRow session(byte[] value) throws StoreException {
        RowInput in = new RowInput(value, OLDEST_SESSION_VERSION, SESSION_VERSION, "session");
        long head = in.i64();
        long place = in.version() == 1 ? 0 : in.i64(); // version 1 ordered sessions by their first messages
        SessionRow row = new SessionRow(head, place, in.i64(), in.i64(), in.i32(), in.i64());
        in.end();
        return row;
    }

    static byte[] state(byte[] state) {
        return ByteBuffer.allocate(1 + state.length)
                .put((byte) VERSION)
                .put(state)
                .array();
    }

    static byte[] readState(byte[] value) throws StoreException {
        new RowInput(value, VERSION, "session state");
        return Arrays.copyOfRange(value, 1, value.length);
    }
}
