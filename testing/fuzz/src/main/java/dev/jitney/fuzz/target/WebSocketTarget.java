package dev.jitney.fuzz.target;

import dev.jitney.fuzz.engine.FuzzTarget;
import dev.jitney.fuzz.server.HttpClientEnd;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Frames of a WebSocket that carries AMQP: what the server says back are frames too, and nobody else notices. */
public final class WebSocketTarget implements FuzzTarget {
    private static final byte[] UPGRADE = ("GET /$servicebus/websocket HTTP/1.1\r\nHost: first.example\r\n"
                    + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: AMQPWSB10\r\n\r\n")
            .getBytes(StandardCharsets.ISO_8859_1);
    private static final int FIN = 0x80;
    private static final int BINARY = 2;
    private static final int CLOSE = 8;
    private static final int[] MASK = {0x12, 0xf3, 0x45, 0x06};

    /** A server that waits for the rest of a frame is left in peace after this. */
    private static final int SILENCE_MS = 60;

    private final HttpFront front;

    public WebSocketTarget() throws Exception {
        front = new HttpFront();
    }

    @Override
    public String name() {
        return "websocket";
    }

    @Override
    public String about() {
        return "Frames of a WebSocket with AMQP inside, against the whole broker.";
    }

    @Override
    public byte[] generate(Random random) {
        byte[] octets = random.nextBoolean() ? Prelude.OPENED : Frames.join(Prelude.LINKED, AmqpRequests.some(random));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int at = 0; at < octets.length; ) {
            int size = Math.min(octets.length - at, 1 + random.nextInt(600));
            int head = random.nextInt(8) == 0 ? random.nextInt(256) : FIN | BINARY;
            out.writeBytes(frame(head, Arrays.copyOfRange(octets, at, at + size)));
            at += size;
            if (random.nextInt(6) == 0) {
                out.writeBytes(frame(FIN | 9 + random.nextInt(2), new byte[random.nextInt(140)]));
            }
        }
        return out.toByteArray();
    }

    private static byte[] frame(int head, byte[] payload) {
        ByteBuffer out = ByteBuffer.allocate(14 + payload.length);
        out.put((byte) head);
        if (payload.length < 126) {
            out.put((byte) (0x80 | payload.length));
        } else {
            out.put((byte) (0x80 | 126)).putShort((short) payload.length);
        }
        for (int octet : MASK) {
            out.put((byte) octet);
        }
        for (int i = 0; i < payload.length; i++) {
            out.put((byte) (payload[i] ^ MASK[i % MASK.length]));
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    @Override
    public void run(byte[] input) throws Exception {
        try (HttpClientEnd client = front.connect()) {
            client.send(UPGRADE);
            if (!client.readUntil("\r\n\r\n", HttpFront.PATIENCE_MS)) {
                throw new AssertionError("Expected an upgrade, but there is none.");
            }
            String head = new String(client.take(), StandardCharsets.ISO_8859_1);
            if (!head.startsWith("HTTP/1.1 101 ")) {
                throw new AssertionError("Expected an upgrade, but got: " + head);
            }
            client.send(input).send(frame(FIN | CLOSE, new byte[] {3, (byte) 0xe8}));
            client.readToEnd(SILENCE_MS);
            checkFrames(client.take());
        }
    }

    private static void checkFrames(byte[] received) {
        ByteBuffer in = ByteBuffer.wrap(received);
        while (in.remaining() >= 2) {
            int head = in.get() & 0xff;
            int length = in.get() & 0xff;
            if (length >= 0x80 || (head & 0x70) != 0 || (head & 0x0f) > 10) {
                throw new AssertionError("Expected a frame of a server, but it begins with "
                        + Integer.toHexString(head << 8 | length) + ".");
            }
            if (length > 125 && in.remaining() < 8) {
                return;
            }
            long size = length < 126 ? length : length == 126 ? in.getShort() & 0xffff : in.getLong();
            if (size > in.remaining()) {
                return;
            }
            in.position(in.position() + (int) size);
        }
    }

    @Override
    public void checkAtRest() throws Exception {
        front.check();
    }

    @Override
    public List<byte[]> words() {
        return List.of(
                frame(FIN | 9, new byte[0]),
                frame(FIN | CLOSE, new byte[] {3}),
                frame(BINARY, new byte[] {1}),
                new byte[] {(byte) 0x82, (byte) 0xff, 0x7f, -1, -1, -1, -1, -1, -1, -1});
    }

    @Override
    public boolean isFunction() {
        return false;
    }

    @Override
    public void close() {
        front.close();
    }
}
