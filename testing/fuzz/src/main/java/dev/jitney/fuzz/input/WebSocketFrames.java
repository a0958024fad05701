package dev.jitney.fuzz.input;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Frames of RFC 6455: encodes those of a client and decodes those of a server. */
public final class WebSocketFrames {
    public static final int FIN = 0x80;
    public static final int BINARY = 2;
    public static final int CLOSE = 8;
    public static final int PING = 9;
    public static final int PONG = 10;

    private static final int MASKED = 0x80;
    private static final int LENGTH_BITS = 0x7f;
    private static final int TWO_OCTETS = 126;
    private static final int EIGHT_OCTETS = 127;
    private static final byte[] MASK = {0x12, (byte) 0xf3, 0x45, 0x06};

    /**
     * A frame of a server.
     *
     * @param head first byte of the frame
     */
    public record Frame(int head, byte[] payload) {
        public int opcode() {
            return head & 0x0f;
        }
    }

    private WebSocketFrames() {}

    /** Returns a frame of a client, of at most 65,535 bytes. */
    public static byte[] frame(int head, byte[] payload) {
        ByteBuffer out = ByteBuffer.allocate(4 + MASK.length + payload.length).put((byte) head);
        if (payload.length < TWO_OCTETS) {
            out.put((byte) (MASKED | payload.length));
        } else {
            out.put((byte) (MASKED | TWO_OCTETS)).putShort((short) payload.length);
        }
        out.put(MASK);
        for (int i = 0; i < payload.length; i++) {
            out.put((byte) (payload[i] ^ MASK[i % MASK.length]));
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    /** Returns whether the bytes of a client end with a complete frame, so that the server can read the next one. */
    public static boolean areWhole(byte[] octets) {
        ByteBuffer in = ByteBuffer.wrap(octets);
        while (in.remaining() >= 2) {
            in.get();
            int length = in.get() & 0xff;
            long size = size(in, length & LENGTH_BITS) + ((length & MASKED) == 0 ? 0 : MASK.length);
            if (size < 0 || size > in.remaining()) {
                return false;
            }
            in.position(in.position() + (int) size);
        }
        return !in.hasRemaining();
    }

    /** Returns the complete frames in the bytes of a server. Fails on bytes that are no server frame. */
    public static List<Frame> ofServer(byte[] octets) {
        List<Frame> out = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(octets);
        while (in.remaining() >= 2) {
            int head = in.get() & 0xff;
            int length = in.get() & 0xff;
            if ((length & MASKED) != 0 || (head & 0x70) != 0 || (head & 0x0f) > PONG) {
                throw new AssertionError("Expected a frame of a server, but it begins with "
                        + Integer.toHexString(head << 8 | length) + ".");
            }
            long size = size(in, length);
            if (size < 0 || size > in.remaining()) {
                break;
            }
            byte[] payload = new byte[(int) size];
            in.get(payload);
            out.add(new Frame(head, payload));
        }
        return out;
    }

    /**
     * Returns the size that a length field declares, with the bytes after the field; negative if those bytes are
     * missing.
     */
    private static long size(ByteBuffer in, int length) {
        if (length < TWO_OCTETS) {
            return length;
        }
        int octets = length == EIGHT_OCTETS ? Long.BYTES : Short.BYTES;
        if (in.remaining() < octets) {
            return Long.MIN_VALUE;
        }
        return length == EIGHT_OCTETS ? in.getLong() : in.getShort() & 0xffff;
    }
}
