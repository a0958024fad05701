package dev.jitney.runtime.rows;

import dev.jitney.core.RowWriter.SessionRow;
import dev.jitney.runtime.store.StoreException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Values of SESSIONS and SESSION_STATES ({@code docs/formats.md}). */
final class SessionRows {
    private static final int VERSION = 1;

    private SessionRows() {}

    static byte[] session(SessionRow row) {
        return ByteBuffer.allocate(37)
                .put((byte) VERSION)
                .putLong(row.head())
                .putLong(row.active())
                .putLong(row.messages())
                .putInt(row.stateSizeBytes())
                .putLong(row.stateChangedAtMs())
                .array();
    }

    static SessionRow session(byte[] value) throws StoreException {
        RowInput in = new RowInput(value, VERSION, "session");
        SessionRow row = new SessionRow(in.i64(), in.i64(), in.i64(), in.i32(), in.i64());
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
