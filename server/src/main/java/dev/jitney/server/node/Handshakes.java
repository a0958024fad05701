package dev.jitney.server.node;

import dev.jitney.server.front.LinkTls;
import dev.jitney.server.tls.ClusterIdentity;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;

/**
 * The beginnings of connections to a node port with TLS (CL-72). Nothing is known about the other side yet, so they are bounded:
 *
 * <table>
 * <caption>The bounds</caption>
 * <tr><th>resource</th><th>bound</th></tr>
 * <tr><td>connections without a complete handshake</td><td>{@value #WAITING_MAX}; if there is one more, the oldest is closed, so that
 * a program that only opens connections keeps no node from connecting</td></tr>
 * <tr><td>processor time</td><td>one thread for the computations of all handshakes; event loops do none of them</td></tr>
 * <tr><td>time</td><td>a handshake and the request behind it share the time of a request</td></tr>
 * </table>
 *
 * <p>Any thread may call it.
 */
final class Handshakes implements AutoCloseable {
    /** The maximum number of connections without a complete handshake. */
    static final int WAITING_MAX = 128;

    private static final long CLOSE_MS = 1_000;

    /** The type of a record with a part of a handshake (RFC 8446 section 5.1). */
    private static final int TLS_HANDSHAKE = 0x16;

    static final String TLS_ONLY =
            "Expected TLS, because this node uses --cluster-tls, but got a connection without it. Use the option"
                    + " --cluster-tls CERT,KEY,CA for nodes and commands, and https for other programs.";

    private final SslContext settings;
    private final LinkFaults faults;
    private final long timeMs;
    private final Set<Channel> waiting = new LinkedHashSet<>();
    private final ExecutorService computations =
            Executors.newSingleThreadExecutor(new DefaultThreadFactory("node-handshake", true));

    /** @param timeMs the time for a handshake, in milliseconds */
    Handshakes(ClusterIdentity identity, LinkFaults faults, long timeMs) {
        settings = LinkTls.ofNodePort(identity);
        this.faults = faults;
        this.timeMs = timeMs;
    }

    /** Returns the first handler of an accepted connection. */
    ChannelInboundHandlerAdapter begin() {
        return new FirstByte();
    }

    private void add(Channel socket) {
        Channel oldest = null;
        synchronized (waiting) {
            waiting.add(socket);
            if (waiting.size() > WAITING_MAX) {
                Iterator<Channel> all = waiting.iterator();
                oldest = all.next();
                all.remove();
            }
        }
        if (oldest != null) {
            Channel closing = oldest;
            // The socket itself: a program that has shown nothing gets no close_notify, which would delay the end.
            closing.eventLoop()
                    .execute(() -> closing.unsafe().close(closing.unsafe().voidPromise()));
        }
    }

    private void remove(Channel socket) {
        synchronized (waiting) {
            waiting.remove(socket);
        }
    }

    /** Returns the number of connections without a complete handshake. */
    int waiting() {
        synchronized (waiting) {
            return waiting.size();
        }
    }

    @Override
    public void close() {
        computations.shutdownNow();
    }

    /** TLS of Netty, without reports about connections that have ended while something was computed for them. */
    private static final class Handler extends SslHandler {
        Handler(SSLEngine engine, Executor computations) {
            super(engine, computations);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) throws Exception {
            if (!context.isRemoved()) { // otherwise no handler is left to take it
                super.exceptionCaught(context, cause);
            }
        }
    }

    /** Begins TLS, or refuses a connection that does not. */
    private final class FirstByte extends ChannelInboundHandlerAdapter {
        private boolean refused;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            Channel socket = context.channel();
            add(socket);
            socket.closeFuture().addListener(closed -> remove(socket));
            context.fireChannelActive();
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (refused || !(message instanceof ByteBuf bytes) || !bytes.isReadable()) {
                ReferenceCountUtil.release(message);
            } else if (bytes.getByte(bytes.readerIndex()) == TLS_HANDSHAKE) {
                beginTls(context, bytes);
            } else {
                refused = true;
                bytes.release();
                refuse(context);
            }
        }

        private void beginTls(ChannelHandlerContext context, ByteBuf hello) {
            Channel socket = context.channel();
            SslHandler handler = new Handler(settings.newEngine(context.alloc()), computations);
            handler.setHandshakeTimeout(timeMs, TimeUnit.MILLISECONDS);
            handler.setCloseNotifyFlushTimeout(CLOSE_MS, TimeUnit.MILLISECONDS);
            handler.handshakeFuture().addListener(done -> {
                remove(socket);
                if (!done.isSuccess()) {
                    faults.refused(socket.remoteAddress(), done.cause());
                }
            });
            context.pipeline().addAfter(context.name(), null, new NodeTls(handler));
            context.fireChannelRead(hello);
            context.pipeline().remove(this);
        }

        private void refuse(ChannelHandlerContext context) {
            faults.plain(context.channel().remoteAddress() instanceof InetSocketAddress address ? address : null);
            byte[] text = TLS_ONLY.getBytes(StandardCharsets.UTF_8);
            // RFC 9110, 15.5.22
            String head =
                    "HTTP/1.1 426 Upgrade Required\r\nUpgrade: TLS/1.2, HTTP/1.1\r\nConnection: Upgrade, close\r\n"
                            + "Content-Type: text/plain; charset=utf-8\r\nContent-Length: " + text.length + "\r\n\r\n";
            context.write(Unpooled.copiedBuffer(head, StandardCharsets.US_ASCII));
            context.writeAndFlush(Unpooled.wrappedBuffer(text)).addListener(ChannelFutureListener.CLOSE);
        }
    }
}
