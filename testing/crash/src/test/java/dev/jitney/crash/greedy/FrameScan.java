package dev.jitney.crash.greedy;

import dev.jitney.testing.amqp.Code;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A reader of the server's output that does not keep it. It counts performatives and records the declared transaction
 * and the last error. For the thread of a {@link GreedyClients}.
 */
final class FrameScan {
    /** The number of bytes of a frame that are examined. */
    private static final int LOOKED_AT = 400;

    private static final int PROTOCOL_HEADER_BYTES = 8;
    private static final int FRAME_MIN_BYTES = 8;
    /** The descriptor of the state declared, and the format code of a small binary. */
    private static final byte[] DECLARED = {0x00, 0x53, 0x33};

    private final Script.Protocol protocol;
    private final int[] seen = new int[256];
    private final byte[] beginning = new byte[LOOKED_AT];
    private int kept;
    private long frameBytes;
    private long frameRead;
    private boolean upgraded;
    private final StringBuilder answer = new StringBuilder();
    private int webSocketHead;
    private long webSocketLeft;
    private int webSocketLengthBytes;
    private byte[] transaction = {};
    private String complaint = "";

    FrameScan(Script.Protocol protocol) {
        this.protocol = protocol;
    }

    int seen(int descriptor) {
        return seen[descriptor];
    }

    byte[] transaction() {
        return transaction;
    }

    boolean isUpgraded() {
        return upgraded;
    }

    String complaint() {
        return complaint;
    }

    void take(ByteBuffer bytes) {
        switch (protocol) {
            case AMQP -> amqp(bytes);
            case WEB_SOCKET -> webSocket(bytes);
            case OTHER -> other(bytes);
        }
    }

    /** Reads the first line of the first response. */
    private void other(ByteBuffer bytes) {
        while (bytes.hasRemaining() && answer.length() < 60) {
            answer.append((char) (bytes.get() & 0x7f));
        }
        int end = answer.indexOf("\r");
        complaint = end < 0 ? answer.toString() : answer.substring(0, end);
    }

    private void webSocket(ByteBuffer bytes) {
        while (!upgraded && bytes.hasRemaining()) {
            answer.append((char) (bytes.get() & 0x7f));
            upgraded = answer.length() > 12
                    && answer.substring(answer.length() - 4).equals("\r\n\r\n");
            if (upgraded && !answer.substring(9).startsWith("101")) {
                upgraded = false;
                complaint = answer.substring(0, answer.indexOf("\r"));
                answer.setLength(0);
            }
        }
        while (bytes.hasRemaining()) {
            if (webSocketLeft > 0) {
                int size = (int) Math.min(webSocketLeft, bytes.remaining());
                ByteBuffer content = bytes.slice(bytes.position(), size);
                bytes.position(bytes.position() + size);
                webSocketLeft -= size;
                amqp(content);
            } else {
                webSocketHead(bytes.get() & 0xff);
            }
        }
    }

    private void webSocketHead(int next) {
        if (webSocketHead == 0) {
            webSocketHead = 1;
        } else if (webSocketHead == 1) {
            webSocketLengthBytes = next == 126 ? 2 : next == 127 ? 8 : 0;
            webSocketLengthSoFar = webSocketLengthBytes == 0 ? next : 0;
            webSocketHead = 2;
            finishHead();
        } else {
            webSocketLengthSoFar = webSocketLengthSoFar << 8 | next;
            webSocketLengthBytes--;
            finishHead();
        }
    }

    private long webSocketLengthSoFar;

    private void finishHead() {
        if (webSocketLengthBytes == 0) {
            webSocketLeft = webSocketLengthSoFar;
            webSocketHead = 0;
        }
    }

    private void amqp(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            int want = frameBytes == 0 ? 4 - kept : (int) Math.min(LOOKED_AT, frameBytes) - kept;
            if (want > 0) {
                int size = Math.min(want, bytes.remaining());
                bytes.get(beginning, kept, size);
                kept += size;
                frameRead += size;
                if (frameBytes == 0 && kept == 4) {
                    frameBytes = beginning[0] == 'A'
                            ? PROTOCOL_HEADER_BYTES
                            : Math.max(
                                    FRAME_MIN_BYTES, ByteBuffer.wrap(beginning).getInt());
                }
            } else {
                int size = (int) Math.min(frameBytes - frameRead, bytes.remaining());
                bytes.position(bytes.position() + size);
                frameRead += size;
            }
            if (frameBytes > 0 && frameRead == frameBytes) {
                whole();
                kept = 0;
                frameBytes = 0;
                frameRead = 0;
            }
        }
    }

    private void whole() {
        if (beginning[0] == 'A' || kept < 11) {
            return;
        }
        int descriptor = beginning[10] & 0xff;
        seen[descriptor]++;
        switch (descriptor) {
            case Code.DISPOSITION -> {
                declared();
                if (find(new byte[] {0x00, 0x53, 0x25}) >= 0) {
                    complaint = readable();
                }
            }
            case Code.DETACH, Code.END, Code.CLOSE -> complaint = readable();
            default -> {
                // ignored
            }
        }
    }

    /** Reads the state declared, which is a list with one binary. */
    private void declared() {
        int at = find(DECLARED);
        if (at < 0) {
            return;
        }
        for (int i = at + DECLARED.length; i + 1 < kept; i++) {
            if (beginning[i] == (byte) 0xa0) {
                int size = beginning[i + 1] & 0xff;
                transaction = java.util.Arrays.copyOfRange(beginning, i + 2, i + 2 + size);
                return;
            }
        }
    }

    private int find(byte[] wanted) {
        for (int i = 0; i + wanted.length <= kept; i++) {
            if (ByteBuffer.wrap(beginning, i, wanted.length).equals(ByteBuffer.wrap(wanted))) {
                return i;
            }
        }
        return -1;
    }

    private String readable() {
        return new String(beginning, 8, kept - 8, StandardCharsets.ISO_8859_1)
                .replaceAll("[^ -~]+", " ")
                .trim();
    }
}
