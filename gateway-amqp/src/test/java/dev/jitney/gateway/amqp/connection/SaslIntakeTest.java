package dev.jitney.gateway.amqp.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.apache.qpid.protonj2.engine.impl.ProtonEngine;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SaslIntakeTest {
    private static final int SASL_HEAD = 0x0201_0000;
    private static final int ARRAYS = 200;

    @Test
    @DisplayName("QUOTA-8: a SASL frame that is too large for the engine takes memory in proportion to its bytes")
    void checksALargeInit() {
        ProtonEngine engine = new ProtonEngine();
        SaslIntake intake = new SaslIntake(engine, bytes -> {}, true);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        byte[] frame = arrays();
        intake.take(new byte[] {'A', 'M', 'Q', 'P', 3, 1, 0, 0});
        long before = threads.getCurrentThreadAllocatedBytes();
        intake.take(frame);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(engine.isFailed()).isTrue();
        assertThat(allocated).isLessThan(10 << 20);
    }

    /** Returns a frame with a list of arrays, each of 65,536 elements without bytes. */
    private static byte[] arrays() {
        int size = 8 + 12 + 10 * ARRAYS;
        ByteBuffer frame = ByteBuffer.allocate(size).putInt(size).putInt(SASL_HEAD);
        frame.put(new byte[] {0x00, 0x53, (byte) 0x99, (byte) 0xd0})
                .putInt(4 + 10 * ARRAYS)
                .putInt(ARRAYS);
        for (int i = 0; i < ARRAYS; i++) {
            frame.put((byte) 0xf0).putInt(5).putInt(65_536).put((byte) 0x43);
        }
        return frame.array();
    }
}
