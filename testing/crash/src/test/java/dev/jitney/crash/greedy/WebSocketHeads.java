package dev.jitney.crash.greedy;

import java.nio.ByteBuffer;

/**
 * The heads of WebSocket frames of a client (RFC 6455, section 5.2). Their mask is zero and does not change the
 * content.
 */
final class WebSocketHeads {
    private static final int FINAL = 0x80;
    private static final int BINARY = 0x02;
    private static final int MASKED = 0x80;

    private WebSocketHeads() {}

    /** Returns the head of a frame with a complete message. */
    static ByteBuffer binary(long sizeBytes) {
        return head(FINAL | BINARY, sizeBytes);
    }

    /** Returns the head of the first or another frame of a fragmented message. */
    static ByteBuffer fragment(boolean first, long sizeBytes) {
        return head(first ? BINARY : 0, sizeBytes);
    }

    private static ByteBuffer head(int first, long sizeBytes) {
        ByteBuffer head = ByteBuffer.allocate(14).put((byte) first);
        if (sizeBytes < 126) {
            head.put((byte) (MASKED | sizeBytes));
        } else if (sizeBytes < 65_536) {
            head.put((byte) (MASKED | 126)).putShort((short) sizeBytes);
        } else {
            head.put((byte) (MASKED | 127)).putLong(sizeBytes);
        }
        return head.putInt(0).flip();
    }
}
