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
 * The answer for a client that begins TLS on a port without it: an alert, so that it fails at once, and one line in the log
 * with the fix. Any thread may call it.
 */
final class TlsRefusal {
    private static final Logger LOG = LoggerFactory.getLogger(TlsRefusal.class);

    /** The type of a record with a part of a handshake (RFC 8446 section 5.1). */
    private static final int TLS_HANDSHAKE = 0x16;

    /** A fatal alert, handshake_failure (RFC 8446 section 6). */
    private static final byte[] ALERT = {0x15, 3, 3, 0, 2, 2, 40};

    private final AtomicBoolean told = new AtomicBoolean();

    /** Whether these, the first bytes of a connection, begin TLS though there is none. */
    static boolean isNeeded(ChannelHandlerContext client, ByteBuf first) {
        return first.getByte(first.readerIndex()) == TLS_HANDSHAKE
                && client.pipeline().get(SslHandler.class) == null;
    }

    /** Answers and closes. */
    void refuse(ChannelHandlerContext client) {
        if (told.compareAndSet(false, true)) {
            LOG.warn(
                    "Expected no TLS on {}, but {} began it and is refused. Let the client use http://, or give the server a"
                            + " certificate (--tls auto, or --tls CERT,KEY) and let the client connect to a port that"
                            + " serves TLS. This line is written once.",
                    client.channel().localAddress(),
                    client.channel().remoteAddress());
        }
        client.writeAndFlush(Unpooled.wrappedBuffer(ALERT)).addListener(ChannelFutureListener.CLOSE);
    }
}
