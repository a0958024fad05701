package dev.jitney.simulation.disk;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** The format of a batch on the disk: length, checksum, encoded rows. A torn frame is detected and treated as absent. */
final class Frame {
    private static final int HEADER = 8;

    private Frame() {}

    static byte[] encode(byte[] batch) {
        int size = HEADER + batch.length;
        ByteBuffer out = ByteBuffer.allocate(size).position(HEADER).put(batch);
        return out.putInt(0, size).putInt(4, checksum(out.array(), size)).array();
    }

    /** Returns the batch that was written, or null if the bytes are not a complete frame. */
    static byte @Nullable [] decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (bytes.length < HEADER || in.getInt() != bytes.length || in.getInt() != checksum(bytes, bytes.length)) {
            return null;
        }
        return Arrays.copyOfRange(bytes, HEADER, bytes.length);
    }

    private static int checksum(byte[] bytes, int size) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, HEADER, size - HEADER);
        return (int) crc.getValue();
    }
}
