package dev.jitney.simulation.disk;

import dev.jitney.runtime.store.Table;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** A batch as it lies on the disk: length, checksum, writes. What is torn is recognised and not there. */
final class Frame {
    private static final int HEADER = 8;
    private static final int WRITE_HEADER = 10;
    private static final Table[] TABLES = Table.values();
    private static final Write.Kind[] KINDS = Write.Kind.values();

    private Frame() {}

    static byte[] encode(List<Write> writes) {
        int size = HEADER;
        for (Write write : writes) {
            size += WRITE_HEADER + write.key().length + write.argument().length;
        }
        ByteBuffer out = ByteBuffer.allocate(size).position(HEADER);
        for (Write write : writes) {
            out.put((byte) write.kind().ordinal()).put((byte) write.table().ordinal());
            out.putInt(write.key().length).putInt(write.argument().length);
            out.put(write.key()).put(write.argument());
        }
        return out.putInt(0, size).putInt(4, checksum(out.array(), size)).array();
    }

    /** What was written, or null if the bytes are not a whole frame. */
    static @Nullable List<Write> decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (bytes.length < HEADER || in.getInt() != bytes.length || in.getInt() != checksum(bytes, bytes.length)) {
            return null;
        }
        List<Write> writes = new ArrayList<>();
        while (in.hasRemaining()) {
            Write.Kind kind = KINDS[in.get()];
            Table table = TABLES[in.get()];
            byte[] key = new byte[in.getInt()];
            byte[] argument = new byte[in.getInt()];
            in.get(key).get(argument);
            writes.add(new Write(kind, table, key, argument));
        }
        return writes;
    }

    private static int checksum(byte[] bytes, int size) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, HEADER, size - HEADER);
        return (int) crc.getValue();
    }
}
