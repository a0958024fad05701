package dev.jitney.server.stores;

import dev.jitney.runtime.store.Table;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.NavigableMap;

/**
 * A decoder of changes in an {@link EntityCopy} of version 1, written by Jitney 0.2.0 and older. Each change has: kind
 * (1 byte: 0 put, 1 delete, 2 delete a range), id of the table (1), length of the key (4), key, length (4) and value or
 * end of the range. A delete has no value.
 *
 * <p>A server reads this version only on its first start after an upgrade, if the disk of a store is unavailable then.
 * The decoder stays until 1.0.0, like all readers of older formats (docs/guides/upgrades.md).
 */
final class VersionOneChanges {
    private static final byte PUT = 0;
    private static final byte DELETE = 1;
    private static final byte DELETE_RANGE = 2;

    private VersionOneChanges() {}

    /**
     * Applies changes made together, ignoring those of other tables.
     *
     * @throws IOException if lengths do not fit the data
     */
    static void apply(byte[] changes, Map<Table, NavigableMap<byte[], byte[]>> rows) throws IOException {
        ByteBuffer all = ByteBuffer.wrap(changes);
        try {
            while (all.hasRemaining()) {
                byte kind = all.get();
                Table known = Table.of(all.get());
                NavigableMap<byte[], byte[]> table = known == null ? null : rows.get(known);
                byte[] key = bytes(all);
                byte[] value = kind == DELETE ? null : bytes(all);
                if (table == null) {
                    continue;
                } else if (kind == PUT && value != null) {
                    table.put(key, value);
                } else if (kind == DELETE_RANGE && value != null) {
                    table.subMap(key, value).clear();
                } else {
                    table.remove(key);
                }
            }
        } catch (BufferUnderflowException e) {
            throw new IOException("Expected complete changes of version 1, but they end early.", e);
        }
    }

    private static byte[] bytes(ByteBuffer from) {
        int length = from.getInt();
        if (length < 0 || length > from.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        from.get(bytes);
        return bytes;
    }
}
