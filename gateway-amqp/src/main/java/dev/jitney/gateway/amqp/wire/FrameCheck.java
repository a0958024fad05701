package dev.jitney.gateway.amqp.wire;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.MessageFormatException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Looks at the encoding of every performative before the engine decodes it: sizes and counts must be backed by octets, and
 * nesting is bounded.
 *
 * <p>The decoder of protonj2 1.1.0 believes the count of a map and makes room for it, so that a frame of sixty octets from
 * anybody took all the memory there is; and it follows nested values until the stack is used up. What stands behind the
 * value in a SASL frame it takes for the next frame, so that no two would agree on where frames begin: there must be
 * nothing (AMQP 1.0 part 5, 5.3.1). Found by fuzzing.
 *
 * <p>Frames that have come whole are checked where they lie. Of one that comes in pieces, which the engine keeps until it
 * is whole, a copy is made here. A size that no frame may have is left for the engine to refuse, with the head around it
 * and nothing behind. For the event loop.
 */
public final class FrameCheck {
    private static final int HEAD_SIZE = 8;
    private static final int WORD = 4;
    private static final int DATA_OFFSET_AT = 4;
    private static final int TYPE_AT = 5;
    private static final int SASL_TYPE = 1;

    /** How the protocol header begins, which may come between frames; as a size it is too large for any. */
    private static final int PROTOCOL = 'A' << 24 | 'M' << 16 | 'Q' << 8 | 'P';

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private final int frameBytesMax;
    private byte[] begun = {};
    private int begunSize;
    private boolean lost;
    private int firstFrameAt;
    private int completedSize;

    /** @param frameBytesMax the largest frame the engine takes */
    public FrameCheck(int frameBytesMax) {
        this.frameBytesMax = frameBytesMax;
    }

    /**
     * Checks the next octets of the stream.
     *
     * @return how many of them the engine may have: all, or those before the frame that is wrong; nothing after that
     */
    public int check(byte[] bytes) {
        if (lost) {
            return 0;
        }
        completedSize = 0;
        int at = begunSize == 0 ? 0 : goOn(bytes);
        firstFrameAt = at;
        while (at < bytes.length && !lost) {
            int left = bytes.length - at;
            int size = left < WORD ? 0 : size(bytes, at);
            if (left < WORD || size <= frameBytesMax && left < size) {
                begin(bytes, at);
                return bytes.length;
            }
            if (lost) {
                return Math.min(bytes.length, at + HEAD_SIZE);
            }
            lost = !isFine(bytes, at, size);
            at += lost ? 0 : size;
        }
        return at;
    }

    /** The bytes of the frame that has begun and not come whole. */
    public int begunBytes() {
        return begunSize;
    }

    /** The size of the frame that was completed by the bytes that were checked last, 0 if none was. */
    public int completedSize() {
        return completedSize;
    }

    /** Where in the octets that were checked last a frame begins, if all of it came with them. */
    public int firstFrameAt() {
        return firstFrameAt;
    }

    /** The size of what begins there; what is no frame and no header is for the engine to refuse. */
    private int size(byte[] bytes, int at) {
        int size = (int) INT.get(bytes, at);
        if (size == PROTOCOL) {
            return HEAD_SIZE;
        }
        lost = size < HEAD_SIZE || size > frameBytesMax;
        return size;
    }

    /** The size of the frame or protocol header that begins there; at least four bytes are there. */
    public int sizeAt(byte[] bytes, int at) {
        int size = (int) INT.get(bytes, at);
        return size == PROTOCOL ? HEAD_SIZE : size;
    }

    private void begin(byte[] bytes, int at) {
        begun = Arrays.copyOfRange(bytes, at, Math.max(bytes.length, at + HEAD_SIZE));
        begunSize = bytes.length - at;
    }

    /** Completes the frame that has begun; where the next one begins in the new octets. */
    private int goOn(byte[] bytes) {
        int at = take(bytes, 0, WORD);
        if (begunSize < WORD) {
            return at;
        }
        int size = size(begun, 0);
        if (lost) {
            return at;
        }
        at = take(bytes, at, size);
        if (begunSize < size) {
            return at;
        }
        lost = !isFine(begun, 0, size);
        completedSize = size;
        begun = new byte[0];
        begunSize = 0;
        return lost ? 0 : at;
    }

    /** Takes what is there of so many octets. Room grows with what has come, not with what a peer says will come. */
    private int take(byte[] bytes, int at, int upTo) {
        int count = Math.max(0, Math.min(upTo - begunSize, bytes.length - at));
        if (begun.length < begunSize + count) {
            begun = Arrays.copyOf(begun, Math.min(upTo, Math.max(2 * begun.length, begunSize + count)));
        }
        System.arraycopy(bytes, at, begun, begunSize, count);
        begunSize += count;
        return at + count;
    }

    private static boolean isFine(byte[] bytes, int at, int size) {
        int from = at + (bytes[at + DATA_OFFSET_AT] & 0xff) * WORD;
        int to = at + size;
        if (bytes[at] == 'A' || from < at + HEAD_SIZE || from >= to) {
            return true; // a protocol header, an offset that the engine refuses, or an empty frame
        }
        try {
            AmqpReader body = new AmqpReader(bytes, from, to);
            body.skipValue();
            return bytes[at + TYPE_AT] != SASL_TYPE || !body.hasRemaining();
        } catch (MessageFormatException malformed) {
            return false;
        }
    }
}
