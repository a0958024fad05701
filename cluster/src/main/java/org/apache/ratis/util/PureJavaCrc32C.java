package org.apache.ratis.util;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * The checksum of the entries in Ratis' log, computed by the JDK. The class has the name of one of Ratis 3.3.0 and takes its place,
 * because Ratis has no setting for its checksum. Both compute CRC-32C (RFC 3720, B.4), so files that one of them has written are read
 * with the other. The JDK uses an instruction of the processor and takes a thirtieth of the time (docs/adr/0029).
 *
 * <p>The class path has the module {@code cluster} before its dependencies, so this class is found first. If it were not, only the gain
 * would be lost. For one thread.
 */
public final class PureJavaCrc32C implements Checksum {
    private final CRC32C crc = new CRC32C();

    @Override
    public void update(int next) {
        crc.update(next);
    }

    @Override
    public void update(byte[] bytes, int offset, int length) {
        crc.update(bytes, offset, length);
    }

    @Override
    public void update(ByteBuffer bytes) {
        crc.update(bytes);
    }

    @Override
    public long getValue() {
        return crc.getValue();
    }

    @Override
    public void reset() {
        crc.reset();
    }
}
