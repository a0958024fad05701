package dev.jitney.fuzz.target;

import dev.jitney.fuzz.input.AmqpRequests;
import dev.jitney.fuzz.input.Frames;
import dev.jitney.fuzz.input.Prelude;
import dev.jitney.fuzz.input.WebSocketFrames;
import dev.jitney.fuzz.input.WebSocketFrames.Frame;
import dev.jitney.fuzz.server.HttpClientEnd;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Frames of a WebSocket that carries AMQP. A client that has sent complete frames gets an answer to a ping, or the end
 * of the connection. The output of the server consists of frames with AMQP in them, and no other connection is
 * affected.
 */
final class WebSocketTarget extends ServerTarget<HttpFront> {
    private static final byte[] UPGRADE = ("GET /$servicebus/websocket HTTP/1.1\r\nHost: first.example\r\n"
                    + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: AMQPWSB10\r\n\r\n")
            .getBytes(StandardCharsets.ISO_8859_1);
    private static final byte[] HEAD_END = {'\r', '\n', '\r', '\n'};
    private static final byte[] LAST_PING = "still there?".getBytes(StandardCharsets.ISO_8859_1);
    private static final int HEAD = WebSocketFrames.FIN | WebSocketFrames.BINARY;

    WebSocketTarget() throws Exception {
        super("websocket", pieces(), new HttpFront());
    }

    private static List<byte[]> pieces() {
        return List.of(
                WebSocketFrames.frame(WebSocketFrames.FIN | WebSocketFrames.PING, new byte[0]),
                WebSocketFrames.frame(WebSocketFrames.FIN | WebSocketFrames.CLOSE, new byte[] {3}),
                WebSocketFrames.frame(WebSocketFrames.FIN | WebSocketFrames.CLOSE, new byte[] {3, (byte) 0xe8, 'x'}),
                WebSocketFrames.frame(WebSocketFrames.BINARY, new byte[] {1}),
                WebSocketFrames.frame(WebSocketFrames.FIN, new byte[] {1}),
                new byte[] {(byte) 0x82, (byte) 0xff, 0x7f, -1, -1, -1, -1, -1, -1, -1});
    }

    @Override
    public byte[] generate(Random random) {
        byte[] octets = random.nextBoolean() ? Prelude.OPENED : Frames.join(Prelude.LINKED, AmqpRequests.some(random));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int at = 0; at < octets.length; ) {
            int size = Math.min(octets.length - at, 1 + random.nextInt(600));
            int head = random.nextInt(8) == 0 ? random.nextInt(256) : HEAD;
            out.writeBytes(WebSocketFrames.frame(head, Arrays.copyOfRange(octets, at, at + size)));
            at += size;
            if (random.nextInt(6) == 0) {
                int pingOrPong = WebSocketFrames.PING + random.nextInt(2);
                out.writeBytes(WebSocketFrames.frame(WebSocketFrames.FIN | pingOrPong, new byte[random.nextInt(140)]));
            }
        }
        return out.toByteArray();
    }

    @Override
    public void run(byte[] input) throws Exception {
        try (HttpClientEnd client = front.connect()) {
            byte[] begun = upgrade(client);
            client.send(input);
            if (WebSocketFrames.areWhole(input)) {
                client.send(WebSocketFrames.frame(WebSocketFrames.FIN | WebSocketFrames.PING, LAST_PING));
                boolean answered = client.readUntil(
                        octets -> WebSocketFrames.ofServer(Frames.join(begun, octets)).stream()
                                .anyMatch(WebSocketTarget::isAnswer),
                        HttpFront.PATIENCE_MS);
                if (!answered && !client.isClosed()) {
                    throw new AssertionError(
                            "Expected an answer to a ping or the end of the connection, but got neither.");
                }
            }
            if (!client.finish(HttpFront.PATIENCE_MS)) {
                throw new AssertionError("Expected the server to release a disconnected client, but it did not.");
            }
            check(WebSocketFrames.ofServer(Frames.join(begun, client.take())));
        }
    }

    /** Upgrades to a WebSocket; returns the bytes after the head of the answer. */
    private static byte[] upgrade(HttpClientEnd client) throws Exception {
        client.send(UPGRADE).readUntil(octets -> headBytes(octets) > 0, HttpFront.PATIENCE_MS);
        byte[] answer = client.take();
        int head = headBytes(answer);
        if (head < 0 || !new String(answer, StandardCharsets.ISO_8859_1).startsWith("HTTP/1.1 101 ")) {
            throw new AssertionError(
                    "Expected an upgrade, but got: " + new String(answer, StandardCharsets.ISO_8859_1));
        }
        return Arrays.copyOfRange(answer, head, answer.length);
    }

    /** Returns the length of the head of an answer, or -1 if it is incomplete. */
    private static int headBytes(byte[] answer) {
        for (int at = 0; at + HEAD_END.length <= answer.length; at++) {
            if (Arrays.equals(answer, at, at + HEAD_END.length, HEAD_END, 0, HEAD_END.length)) {
                return at + HEAD_END.length;
            }
        }
        return -1;
    }

    private static boolean isAnswer(Frame frame) {
        return frame.opcode() == WebSocketFrames.CLOSE
                || frame.opcode() == WebSocketFrames.PONG && Arrays.equals(frame.payload(), LAST_PING);
    }

    private static void check(List<Frame> frames) throws Exception {
        ByteArrayOutputStream amqp = new ByteArrayOutputStream();
        for (Frame frame : frames) {
            if (frame.opcode() <= WebSocketFrames.BINARY) {
                amqp.writeBytes(frame.payload());
            }
        }
        for (AmqpAnswer answer : AmqpAnswer.all(amqp.toByteArray())) {
            answer.checkError();
        }
    }
}
