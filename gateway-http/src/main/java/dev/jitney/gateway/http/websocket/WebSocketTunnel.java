package dev.jitney.gateway.http.websocket;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.vertx.core.Context;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketFrame;
import io.vertx.core.internal.buffer.BufferInternal;
import io.vertx.core.internal.http.WebSocketInternal;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One WebSocket and its connection to the AMQP side. Its own methods run on the event loop of the WebSocket. The AMQP
 * side calls the methods of {@link TunnelEnd}, which only schedule a task there.
 *
 * <p>Binary messages form one stream, in any division into frames and messages (wire checklist 13). The number of bytes
 * in transit is limited in each direction: Jitney stops reading from a client that sends too fast, and reports bytes of
 * the AMQP side as consumed when the socket has taken them.
 *
 * <table>
 * <caption>Close codes</caption>
 * <tr><td>AMQP side closes</td><td>1000, after all its data</td></tr>
 * <tr><td>the server accepts no more connections</td><td>1013</td></tr>
 * <tr><td>text message</td><td>1003</td></tr>
 * <tr><td>frame that violates RFC 6455</td><td>1002</td></tr>
 * <tr><td>frame that is too large</td><td>1009</td></tr>
 * <tr><td>pings whose pongs the client does not read</td><td>1008</td></tr>
 * </table>
 *
 * <p>In each case, the socket is closed after {@link #CLOSE_TIMEOUT_MS} at the latest. Silence does not close it here:
 * AMQP has an idle timeout of its own, and a timeout for authentication.
 */
final class WebSocketTunnel implements TunnelEnd {
    private static final Logger log = LoggerFactory.getLogger(WebSocketTunnel.class);

    /** Bytes that the AMQP side may have unconsumed before the WebSocket is paused. */
    private static final int WINDOW_BYTES = 64 * 1024;

    /** Pings accepted while the client does not read. The pongs wait in memory. */
    private static final int UNREAD_PONGS_MAX = 100;

    private static final long CLOSE_TIMEOUT_MS = 3_000;

    // RFC 6455 section 7.4.1, and the registry of close codes.
    private static final int NORMAL = 1000;
    private static final int CANNOT_ACCEPT = 1003;
    private static final int POLICY_VIOLATION = 1008;
    private static final int TRY_AGAIN_LATER = 1013;

    private final Context loop;
    private final ServerWebSocket socket;
    private @Nullable TunnelEnd amqp;
    private int bytesWithAmqp;
    private boolean paused;
    private int unreadPongs;
    private boolean closing;

    WebSocketTunnel(Context loop, ServerWebSocket socket) {
        this.loop = loop;
        this.socket = socket;
    }

    void start(AmqpTunnels tunnels, @Nullable String serverName) {
        if (socket.isClosed()) {
            return;
        }
        socket.exceptionHandler(this::failed);
        socket.closeHandler(closed -> gone());
        TunnelEnd opened = tunnels.open(client(), serverName, this);
        if (opened == null) {
            end(TRY_AGAIN_LATER, "The server accepts no more connections.");
            return;
        }
        amqp = opened;
        socket.frameHandler(this::frame);
    }

    private SocketAddress client() {
        io.vertx.core.net.SocketAddress address = socket.remoteAddress();
        String literal = address.hostAddress();
        return literal == null
                ? InetSocketAddress.createUnresolved(address.host(), address.port())
                : new InetSocketAddress(literal, address.port()); // needs no DNS lookup
    }

    private ChannelHandlerContext channel() {
        return ((WebSocketInternal) socket).channelHandlerContext();
    }

    private void frame(WebSocketFrame frame) {
        if (closing) {
            return;
        }
        switch (frame.type()) {
            case BINARY, CONTINUATION -> receive(frame);
            case TEXT -> end(CANNOT_ACCEPT, "Expected a binary message, but got a text message.");
            case PING -> ping();
            case PONG, CLOSE -> {}
        }
    }

    private void receive(WebSocketFrame frame) {
        TunnelEnd to = amqp;
        // Needs no copy, because every frame has a buffer of its own on the heap.
        ByteBuffer bytes = ((BufferInternal) frame.binaryData()).getByteBuf().nioBuffer();
        if (to == null || !bytes.hasRemaining()) {
            return;
        }
        bytesWithAmqp += bytes.remaining();
        if (!paused && bytesWithAmqp >= WINDOW_BYTES) {
            paused = true;
            socket.pause();
        }
        to.data(bytes);
    }

    private void ping() {
        unreadPongs = !socket.isClosed() && socket.writeQueueFull() ? unreadPongs + 1 : 0;
        if (unreadPongs > UNREAD_PONGS_MAX) {
            end(POLICY_VIOLATION, "Expected a client that reads pongs, but too many are unread.");
        }
    }

    private void failed(Throwable cause) {
        if (cause instanceof CorruptedWebSocketFrameException broken) {
            end(broken.closeStatus().code(), broken.getMessage());
        } else {
            log.debug("WebSocket of {} failed: {}", socket.remoteAddress(), cause.toString());
        }
    }

    private void gone() {
        closing = true;
        TunnelEnd to = amqp;
        if (to != null) {
            to.close();
        }
    }

    private void end(int code, @Nullable String reason) {
        if (closing) {
            return;
        }
        closing = true;
        if (code != NORMAL) {
            log.info("Closing the WebSocket of {} with code {}: {}", socket.remoteAddress(), code, reason);
        }
        socket.close((short) code, reason);
        // A client that reads nothing never sees the close frame, but must not keep the socket.
        loop.owner().setTimer(CLOSE_TIMEOUT_MS, late -> channel().close());
        TunnelEnd to = amqp;
        if (to != null) {
            to.close();
        }
    }

    @Override
    public void data(ByteBuffer bytes) {
        loop.runOnContext(turn -> send(bytes));
    }

    private void send(ByteBuffer bytes) {
        if (closing) {
            return;
        }
        int length = bytes.remaining();
        WebSocketFrame message = WebSocketFrame.binaryFrame(BufferInternal.buffer(Unpooled.wrappedBuffer(bytes)), true);
        socket.writeFrame(message).onComplete(written -> {
            TunnelEnd to = amqp;
            if (to != null) {
                to.consumed(length);
            }
        });
    }

    @Override
    public void consumed(int bytes) {
        loop.runOnContext(turn -> {
            bytesWithAmqp -= bytes;
            if (paused && bytesWithAmqp <= WINDOW_BYTES / 2) {
                paused = false;
                socket.resume();
            }
        });
    }

    @Override
    public void close() {
        loop.runOnContext(turn -> end(NORMAL, null));
    }
}
