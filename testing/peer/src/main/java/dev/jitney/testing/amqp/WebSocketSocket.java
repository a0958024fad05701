package dev.jitney.testing.amqp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A socket whose bytes travel in a WebSocket, for clients that only know sockets. Writes are split at arbitrary
 * positions, some into fragments of a message, some into separate messages (wire checklist 13).
 */
public final class WebSocketSocket extends Socket {
    private final ReceivedOctets received = new ReceivedOctets();
    private final Random cuts = new Random(13);
    private final WebSocket webSocket;
    private volatile int closeCode = -1;

    /**
     * @param path path with or without a slash at the end, and with a query
     * @param subprotocol subprotocol that the client requests
     */
    public WebSocketSocket(int port, String path, String subprotocol) {
        webSocket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .connectTimeout(RawConnection.PATIENCE)
                .subprotocols(subprotocol)
                .buildAsync(URI.create("ws://127.0.0.1:" + port + path), new Listener())
                .join();
        if (!webSocket.getSubprotocol().equals(subprotocol)) {
            throw new AssertionError("Expected the echo of subprotocol " + subprotocol + ", but got another answer.");
        }
    }

    /** Connects with the path and the subprotocol of the SDKs. */
    public WebSocketSocket(int port) {
        this(port, "/$servicebus/websocket", "AMQPWSB10");
    }

    private final class Listener implements WebSocket.Listener {
        @Override
        public @Nullable CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
            received.add(ByteBuffer.allocate(data.remaining()).put(data).flip());
            from.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
            closeCode = code;
            received.end();
            return null;
        }

        @Override
        public void onError(WebSocket from, Throwable error) {
            received.end();
        }
    }

    /** Returns the code with which the server closed the WebSocket, or -1. */
    public int closeCode() {
        return closeCode;
    }

    /** Sends bytes as one message. */
    public void sendMessage(byte[] octets) throws IOException {
        await(webSocket.sendBinary(ByteBuffer.wrap(octets), true));
    }

    private static void await(CompletableFuture<WebSocket> sent) throws IOException {
        try {
            sent.join();
        } catch (CompletionException e) {
            throw new IOException(e.getCause());
        }
    }

    private void sendInPieces(byte[] octets, int from, int count) throws IOException {
        int end = from + count;
        int at = from;
        while (at < end) {
            int next = Math.min(end, at + 1 + cuts.nextInt(cuts.nextBoolean() ? 20 : 40_000));
            boolean last = next == end || cuts.nextBoolean();
            await(webSocket.sendBinary(ByteBuffer.wrap(octets, at, next - at), last));
            at = next;
        }
    }

    @Override
    public OutputStream getOutputStream() {
        return new OutputStream() {
            @Override
            public void write(int octet) throws IOException {
                write(new byte[] {(byte) octet});
            }

            @Override
            public void write(byte[] octets, int from, int count) throws IOException {
                sendInPieces(octets, from, count);
            }
        };
    }

    @Override
    public InputStream getInputStream() {
        return received;
    }

    @Override
    public synchronized void close() {
        webSocket.abort();
        received.end();
    }
}
