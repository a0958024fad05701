package dev.jitney.gateway.http;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A WebSocket client that sends valid and invalid frames. */
final class RawWebSocket implements AutoCloseable {
    static final int CONTINUATION = 0;
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;
    static final int FIN = 0x80;

    static final String PATH = "/$servicebus/websocket";

    private static final byte[] MASK = {0x12, (byte) 0xf3, 0x45, 0x06};

    /** A received frame. */
    record Frame(int head, byte[] payload) {
        int opcode() {
            return head & 0x0f;
        }

        int closeCode() {
            return ByteBuffer.wrap(payload).getShort() & 0xffff;
        }
    }

    final Socket socket = new Socket();
    private final DataInputStream in;
    private final OutputStream out;

    RawWebSocket(int port) throws IOException {
        this(port, 0);
    }

    /** @param receiveBufferBytes of the socket, small for a client that reads little; 0 for the default */
    RawWebSocket(int port, int receiveBufferBytes) throws IOException {
        if (receiveBufferBytes > 0) {
            socket.setReceiveBufferSize(receiveBufferBytes);
        }
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(30_000);
        socket.connect(new InetSocketAddress("127.0.0.1", port), 30_000);
        in = new DataInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    /** Returns the head of an upgrade request in the format of the SDKs, with additional lines. */
    static String upgrade(String path, String... lines) {
        return "GET " + path + " HTTP/1.1\r\nHost: my-namespace.example:8443\r\nConnection: Upgrade\r\n"
                + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                + String.join(
                        "", List.of(lines).stream().map(line -> line + "\r\n").toList()) + "\r\n";
    }

    static String protocol(String... names) {
        return "Sec-WebSocket-Protocol: " + String.join(", ", names);
    }

    /** Returns an upgraded connection with the subprotocol of the SDKs. */
    static RawWebSocket open(int port) throws IOException {
        RawWebSocket client = new RawWebSocket(port);
        client.upgraded();
        return client;
    }

    void upgraded() throws IOException {
        List<String> head = ask(upgrade(PATH, protocol("AMQPWSB10")));
        if (!head.get(0).startsWith("HTTP/1.1 101 ")) {
            throw new AssertionError("Expected an upgrade, but got " + head);
        }
    }

    void raw(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /** Sends the head of a request; returns the lines of the response's head, with names of headers in lower case. */
    List<String> ask(String head) throws IOException {
        raw(head.getBytes(StandardCharsets.ISO_8859_1));
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        while (true) {
            char c = (char) in.readUnsignedByte();
            if (c == '\n') {
                if (line.isEmpty()) {
                    return lines;
                }
                int colon = line.indexOf(":");
                String text = line.toString();
                lines.add(colon < 0 ? text : text.substring(0, colon).toLowerCase(Locale.ROOT) + text.substring(colon));
                line.setLength(0);
            } else if (c != '\r') {
                line.append(c);
            }
        }
    }

    /** Returns all data until the other side closes. */
    String rest() throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }

    void send(int head, byte[] payload) throws IOException {
        raw(masked(head, payload));
    }

    void binary(byte[] payload) throws IOException {
        send(FIN | BINARY, payload);
    }

    /** Returns the bytes of a masked frame, as clients have to send it. */
    static byte[] masked(int head, byte[] payload) {
        ByteArrayOutputStream frame = new ByteArrayOutputStream(payload.length + 14);
        frame.write(head);
        if (payload.length < 126) {
            frame.write(0x80 | payload.length);
        } else if (payload.length < 65_536) {
            frame.write(0x80 | 126);
            frame.writeBytes(
                    ByteBuffer.allocate(2).putShort((short) payload.length).array());
        } else {
            frame.write(0x80 | 127);
            frame.writeBytes(ByteBuffer.allocate(8).putLong(payload.length).array());
        }
        frame.writeBytes(MASK);
        for (int i = 0; i < payload.length; i++) {
            frame.write(payload[i] ^ MASK[i % 4]);
        }
        return frame.toByteArray();
    }

    /** Returns the next frame of the server, which must not be masked. */
    Frame frame() throws IOException {
        int head = in.readUnsignedByte();
        int length = in.readUnsignedByte();
        if (length == 126) {
            length = in.readUnsignedShort();
        } else if (length == 127) {
            length = (int) in.readLong();
        }
        byte[] payload = new byte[length];
        in.readFully(payload);
        return new Frame(head, payload);
    }

    /** Returns the code of the close frame that must be next, after which the server closes the socket. */
    int closeCode() throws IOException {
        Frame frame = frame();
        if (frame.opcode() != CLOSE) {
            throw new AssertionError("Expected a close frame, but got " + Integer.toHexString(frame.head()));
        }
        try {
            send(FIN | CLOSE, frame.payload());
            if (in.read() >= 0) {
                throw new AssertionError("Expected the end after the close frame.");
            }
        } catch (SocketException reset) {
            // closed as well, because the server waits only a few seconds for the response
        }
        return frame.closeCode();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
