package dev.jitney.gateway.amqp.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answers for clients that use the wrong protocol on a port: a short answer that makes the client fail at once, and
 * a log line with the fix, once for each reason. Any thread may call it.
 */
public final class Refusals {
    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

    private static final int TLS_HANDSHAKE = 0x16;

    /** A fatal alert, handshake_failure (RFC 8446 section 6). */
    private static final byte[] TLS_ALERT = {0x15, 3, 3, 0, 2, 2, 40};

    private static final String NEEDS_TLS = "This port needs TLS: use https:// in the URL.\n";

    private static final byte[] HTTP_ANSWER =
            ("HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: " + NEEDS_TLS.length()
                            + "\r\nConnection: close\r\n\r\n" + NEEDS_TLS)
                    .getBytes(StandardCharsets.US_ASCII);

    private final AtomicBoolean tlsTold = new AtomicBoolean();
    private final AtomicBoolean plainTold = new AtomicBoolean();

    /** Returns whether the first byte of a connection begins a TLS handshake. */
    public static boolean beginsTls(byte first) {
        return first == TLS_HANDSHAKE;
    }

    /** Refuses a client that began TLS on a port without TLS. */
    public void tls(ChannelHandlerContext client) {
        if (tlsTold.compareAndSet(false, true)) {
            LOG.warn(
                    "Expected no TLS on {}, but {} began a TLS handshake and was refused. Connect without TLS"
                            + " (UseDevelopmentEmulator=true in the connection string), or give the server a"
                            + " certificate"
                            + " (--tls auto, or --tls CERT,KEY) and connect to a port that serves TLS."
                            + " This message is logged once.",
                    client.channel().localAddress(),
                    ClientAddress.of(client.channel()));
        }
        end(client, Unpooled.wrappedBuffer(TLS_ALERT));
    }

    /** Refuses a client that used HTTP without TLS on a port that serves HTTP only inside TLS, or not at all. */
    public void plainHttp(ChannelHandlerContext client) {
        tellPlain(client, "HTTP", "--http-port");
        end(client, Unpooled.wrappedBuffer(HTTP_ANSWER));
    }

    /** Refuses a client that used AMQP without TLS on a port that serves AMQP only inside TLS, or not at all. */
    public void plainAmqp(ChannelHandlerContext client) {
        tellPlain(client, "AMQP", "--amqp-port");
        client.close();
    }

    private void tellPlain(ChannelHandlerContext client, String protocol, String option) {
        if (plainTold.compareAndSet(false, true)) {
            LOG.warn(
                    "Expected TLS on {}, but {} used {} without TLS and was refused. Connect with TLS, or"
                            + " permit {} without TLS with {} and this port. This message is logged once.",
                    client.channel().localAddress(),
                    ClientAddress.of(client.channel()),
                    protocol,
                    protocol,
                    option);
        }
    }

    /** Sends an answer and closes the connection. */
    public static void end(ChannelHandlerContext client, ByteBuf answer) {
        client.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE);
    }
}
