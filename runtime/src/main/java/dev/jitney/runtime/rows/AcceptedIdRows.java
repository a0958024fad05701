package dev.jitney.runtime.rows;

import dev.jitney.core.AcceptedId;
import dev.jitney.core.DuplicateKey;
import dev.jitney.core.FragmentId;
import dev.jitney.runtime.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Rows of the message ids of duplicate detection ({@code docs/formats.md}). */
final class AcceptedIdRows {
    private static final int VERSION = 1;
    private static final int SIZE = 17;

    /** The size of entity, fragment and generation. */
    private static final int TYPE_AT = 14;

    private static final int TEXT_AT = TYPE_AT + 1;

    private AcceptedIdRows() {}

    static byte[] key(FragmentId fragment, long generationMs, DuplicateKey key) {
        byte[] text = key.text().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(TEXT_AT + text.length)
                .put(RowKeys.generation(fragment, generationMs))
                .put((byte) key.type().id())
                .put(text)
                .array();
    }

    static DuplicateKey keyOf(byte[] rowKey) throws StoreException {
        try {
            RowKeys.generationOf(rowKey); // also checks the length, which includes type and text
            String text = RowKeys.text(ByteBuffer.wrap(rowKey), TEXT_AT);
            return new DuplicateKey(DuplicateKey.Type.of(rowKey[TYPE_AT]), text);
        } catch (IllegalArgumentException e) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT, "The key of a message id row is corrupt: " + e.getMessage(), e);
        }
    }

    static byte[] write(AcceptedId id) {
        return ByteBuffer.allocate(SIZE)
                .put((byte) VERSION)
                .putLong(id.acceptedAtMs())
                .putLong(id.sequenceNumber())
                .array();
    }

    static AcceptedId read(long generationMs, DuplicateKey key, byte[] value) throws StoreException {
        RowInput in = new RowInput(value, VERSION, "message id");
        AcceptedId id = new AcceptedId(key, generationMs, in.i64(), in.i64());
        in.end();
        return id;
    }
}
