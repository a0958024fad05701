package dev.jitney.gateway.http.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import org.jspecify.annotations.Nullable;

/**
 * The first handler of a connection's pipeline, next to the socket. It admits the connection, counts the bytes that the
 * socket has not taken yet, and closes the socket without waiting for the other handlers. For the event loop.
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

    /** Returns whether the socket has bytes left to write. */
    boolean hasUnwritten() {
        return unwritten > 0;
    }

    /** Closes the socket immediately, without a TLS close_notify that the client may never read. */
    void close() {
        ChannelHandlerContext ctx = context;
        if (ctx == null) {
            peer.channel.close();
        } else {
            ctx.close();
        }
    }
}
