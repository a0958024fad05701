package dev.jitney.gateway.amqp.message;

import dev.jitney.codec.AmqpReader;
import java.nio.ByteBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;

/** Bytes between the engine's buffers and the codec's arrays. */
public final class ProtonBuffers {
    private ProtonBuffers() {}

    /**
     * Reads the readable bytes of a buffer, whose offsets stay as they are.
     *
     * <p>The bytes are copied once, whatever kind of memory they are in: what arrives is in several pieces or outside
     * the heap most of the time, and the offset of {@code ProtonBufferComponent.getReadableArrayOffset} counts from
     * different places in different buffers (protonj2 1.1.0).
     */
    public static AmqpReader reader(ProtonBuffer buffer) {
        byte[] copy = bytes(buffer).array();
        return new AmqpReader(copy, 0, copy.length);
    }

    /** A copy of the readable bytes of a buffer, whose offsets stay as they are. */
    public static ByteBuffer bytes(ProtonBuffer buffer) {
        byte[] copy = new byte[buffer.getReadableBytes()];
        buffer.copyInto(buffer.getReadOffset(), copy, 0, copy.length);
        return ByteBuffer.wrap(copy);
    }

    /** What remains in a buffer that has an array, without a copy; nobody may change the array afterwards. */
    public static ProtonBuffer wrap(ByteBuffer bytes) {
        return ProtonByteArrayBufferAllocator.wrapped(
                bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
    }
}
