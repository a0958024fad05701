package dev.jitney.gateway.amqp.wire;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.MessageFormatException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The check of the encoding of every performative before the engine decodes it: sizes and counts must not exceed the
 * available bytes; nesting, array elements without bytes, symbols, and keys of maps that are not text are bounded.
 *
 * <p>The decoder of protonj2 1.1.0 allocates memory for any count that a map declares, so that a frame of sixty bytes
 * from an unauthenticated client took all the memory. The same holds for arrays of elements without bytes: one frame with
 * some thousand arrays took 1.6 GiB. Its maps need quadratic time for binary keys, whose first hash is always 0, and for
 * other keys with equal hashes. It follows nested values until the stack overflows. It takes
 * bytes after the value of a SASL frame for the next frame, so that this class and the engine would disagree on frame
 * boundaries: there must be no such bytes (AMQP 1.0 part 5, 5.3.1). Found by fuzzing.
 *
 * <p>Complete frames are checked in place. For a frame that arrives in pieces, which the engine keeps until it is
 * complete, this class makes a copy. The engine refuses a frame of invalid size; it gets the frame header and nothing
 * after it. For the event loop.
 */
public final class FrameCheck {
    private static final int HEAD_SIZE = 8;
    private static final int WORD = 4;
    private static final int DATA_OFFSET_AT = 4;
    private static final int TYPE_AT = 5;
    private static final int SASL_TYPE = 1;

    /** The maximum number of array elements in a frame that take no bytes. No known client sends any. */
    private static final int EMPTY_ELEMENTS_MAX = 256;

    /**
     * The maximum number of keys in the maps of a frame that are neither strings nor symbols. The maps of performatives
     * have symbols, except the delivery tags of unsettled deliveries in an attach, which official SDKs do not send.
     */
    private static final int OTHER_KEYS_MAX = 256;

    /**
     * The beginning of the protocol header, which may come between frames; as a size, it is too large for any frame.
     */
    private static final int PROTOCOL = 'A' << 24 | 'M' << 16 | 'Q' << 8 | 'P';

    /** The maximum number of symbols in a frame, so that a frame cannot fill the {@link SymbolCache}. */
    private static final int SYMBOLS_MAX = 1_024;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private final int frameBytesMax;
    private byte[] begun = {};
    private int begunSize;
    private boolean lost;
    private int firstFrameAt;
    private int completedSize;

    /**
     * @param frameBytesMax largest frame that the engine accepts
     */
    public FrameCheck(int frameBytesMax) {
        this.frameBytesMax = frameBytesMax;
    }

    /**
     * Checks the next bytes of the stream.
     *
     * @return the number of bytes that the engine may read: all, or those before an invalid frame; 0 after that
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

    /** Returns the number of bytes of the incomplete frame. */
    public int begunBytes() {
        return begunSize;
    }

    /**
     * Returns the size of the incomplete frame that the bytes of the last check completed, 0 if they completed none.
     */
    public int completedSize() {
        return completedSize;
    }

    /** Returns the position of the first frame that begins in the bytes of the last check. */
    public int firstFrameAt() {
        return firstFrameAt;
    }

    /**
     * Returns the size of the frame at a position. The engine refuses anything that is neither a frame nor a header.
     */
    private int size(byte[] bytes, int at) {
        int size = (int) INT.get(bytes, at);
        if (size == PROTOCOL) {
            return HEAD_SIZE;
        }
        lost = size < HEAD_SIZE || size > frameBytesMax;
        return size;
    }

    /** Returns the size of the frame or protocol header at a position with at least four bytes. */
    public int sizeAt(byte[] bytes, int at) {
        int size = (int) INT.get(bytes, at);
        return size == PROTOCOL ? HEAD_SIZE : size;
    }

    private void begin(byte[] bytes, int at) {
        begun = Arrays.copyOfRange(bytes, at, Math.max(bytes.length, at + HEAD_SIZE));
        begunSize = bytes.length - at;
    }

    /** Completes the incomplete frame. Returns the position of the next frame in the new bytes. */
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

    /**
     * Copies up to the given number of bytes, as far as available. The buffer grows with the received bytes, not with
     * the size that a peer announces.
     */
    private int take(byte[] bytes, int at, int upTo) {
        int count = Math.max(0, Math.min(upTo - begunSize, bytes.length - at));
        if (begun.length < begunSize + count) {
            begun = Arrays.copyOf(begun, Math.min(upTo, Math.max(2 * begun.length, begunSize + count)));
        }
        System.arraycopy(bytes, at, begun, begunSize, count);
        begunSize += count;
        return at + count;
    }

    /** Returns whether the engine may decode a complete frame, from its position in the bytes on. */
    public static boolean isFine(byte[] bytes, int at, int size) {
        int from = at + (bytes[at + DATA_OFFSET_AT] & 0xff) * WORD;
        int to = at + size;
        if (bytes[at] == 'A' || from < at + HEAD_SIZE || from >= to) {
            return true; // a protocol header, an offset that the engine refuses, or an empty frame
        }
        try {
            AmqpReader body = new AmqpReader(bytes, from, to);
            body.limit(EMPTY_ELEMENTS_MAX, OTHER_KEYS_MAX, SYMBOLS_MAX);
            body.skipValue();
            return bytes[at + TYPE_AT] != SASL_TYPE || !body.hasRemaining();
        } catch (MessageFormatException malformed) {
            return false;
        }
    }
}
