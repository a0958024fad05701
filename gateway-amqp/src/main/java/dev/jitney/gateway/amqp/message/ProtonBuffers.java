package dev.jitney.gateway.amqp.message;

import dev.jitney.codec.AmqpReader;
import java.nio.ByteBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;

/** Conversions between the engine's buffers and the codec's arrays. */
public final class ProtonBuffers {
    private ProtonBuffers() {}

    /**
     * Returns a reader of the readable bytes of a buffer. The buffer's offsets do not change.
     *
     * <p>The bytes are copied once, whatever kind of memory they are in. Received bytes are usually in several pieces
     * or outside the heap, and {@code ProtonBufferComponent.getReadableArrayOffset} counts from different positions in
     * different buffers (protonj2 1.1.0).
     */
    public static AmqpReader reader(ProtonBuffer buffer) {
        byte[] copy = bytes(buffer).array();
        return new AmqpReader(copy, 0, copy.length);
    }

    /** Copies the readable bytes of a buffer. The buffer's offsets do not change. */
    public static ByteBuffer bytes(ProtonBuffer buffer) {
        byte[] copy = new byte[buffer.getReadableBytes()];
        buffer.copyInto(buffer.getReadOffset(), copy, 0, copy.length);
        return ByteBuffer.wrap(copy);
    }

    /**
     * Wraps the remaining bytes of a buffer that has an array, without a copy. The caller must not change the array
     * afterwards.
     */
    public static ProtonBuffer wrap(ByteBuffer bytes) {
        return ProtonByteArrayBufferAllocator.wrapped(
                bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
    }
}
