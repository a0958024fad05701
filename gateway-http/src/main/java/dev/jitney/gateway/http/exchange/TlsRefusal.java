package dev.jitney.gateway.http.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The response to a client that begins TLS on a port without it: an alert, so that the client fails immediately, and
 * one log line with the fix. Any thread may call it.
 */
final class TlsRefusal {
    private static final Logger LOG = LoggerFactory.getLogger(TlsRefusal.class);

    /** The type of a record with a part of a handshake (RFC 8446 section 5.1). */
    private static final int TLS_HANDSHAKE = 0x16;

    /** A fatal alert, handshake_failure (RFC 8446 section 6). */
    private static final byte[] ALERT = {0x15, 3, 3, 0, 2, 2, 40};

    private final AtomicBoolean told = new AtomicBoolean();

    /** Returns whether the first bytes of a connection begin TLS on a port without it. */
    static boolean isNeeded(ChannelHandlerContext client, ByteBuf first) {
        return first.getByte(first.readerIndex()) == TLS_HANDSHAKE
                && client.pipeline().get(SslHandler.class) == null;
    }

    /** Sends the alert and closes the connection. */
    void refuse(ChannelHandlerContext client) {
        if (told.compareAndSet(false, true)) {
            LOG.warn(
                    "Expected a connection without TLS on {}, but {} uses TLS and is refused. Use http:// in the client, or"
                            + " start the server with a certificate (--tls auto, or --tls CERT,KEY) and connect to a"
                            + " port with TLS. This message is logged once.",
                    client.channel().localAddress(),
                    client.channel().remoteAddress());
        }
        client.writeAndFlush(Unpooled.wrappedBuffer(ALERT)).addListener(ChannelFutureListener.CLOSE);
    }
}
