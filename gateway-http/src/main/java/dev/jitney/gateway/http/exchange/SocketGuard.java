package dev.jitney.gateway.http.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import org.jspecify.annotations.Nullable;

/**
 * The first handler of a connection's pipeline, next to the socket: it admits the connection, counts the bytes that the
 * socket has not taken yet, and closes the socket without waiting for the handlers behind it. For the event loop.
 */
final class SocketGuard extends ChannelDuplexHandler {
    private final HttpConnections connections;
    private final HttpPeer peer;
    private @Nullable ChannelHandlerContext context;
    private long unwritten;

    SocketGuard(HttpConnections connections, HttpPeer peer) {
        this.connections = connections;
        this.peer = peer;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        connections.admit(peer);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        connections.gone(peer);
        ctx.fireChannelInactive();
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        int bytes = message instanceof ByteBuf buffer ? buffer.readableBytes() : 0;
        unwritten += bytes;
        ctx.write(message, promise.unvoid()).addListener(written -> {
            unwritten -= bytes;
            if (unwritten == 0) {
                connections.drained(peer);
            }
        });
    }

    /** Whether the socket has not taken all bytes that were written. */
    boolean hasUnwritten() {
        return unwritten > 0;
    }

    /** Closes the socket at once, without a farewell of TLS that the client may never read. */
    void close() {
        ChannelHandlerContext ctx = context;
        if (ctx == null) {
            peer.channel.close();
        } else {
            ctx.close();
        }
    }
}
