package dev.jitney.gateway.amqp.connection;

import dev.jitney.gateway.amqp.shared.ConnectionMemory;
import dev.jitney.gateway.amqp.shared.GatewayContext;
import dev.jitney.gateway.amqp.shared.GatewaySocket;
import dev.jitney.gateway.amqp.shared.Transport;
import dev.jitney.gateway.amqp.tunnel.TunnelChannel;
import dev.jitney.gateway.amqp.wire.ClientAddress;
import dev.jitney.gateway.amqp.wire.Refusals;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.ErrorCode;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.client.ConnectedClient;
import dev.jitney.runtime.memory.MemoryAccount;
import dev.jitney.runtime.memory.MemoryPurpose;
import dev.jitney.runtime.testing.BrokerTesting;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Netty handler that moves the bytes of one AMQP connection between a channel and an {@link AmqpConnection}. It
 * works behind any handler in the pipeline: a socket, TLS, or the tunnel for the binary contents of a WebSocket.
 *
 * <p>Until the first eight bytes have arrived it uses a few hundred bytes, so that half-open connections are cheap.
 */
public final class AmqpConnectionHandler extends ChannelInboundHandlerAdapter
        implements Transport, GatewaySocket, MemoryAccount.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(AmqpConnectionHandler.class);
    private static final byte[] SASL_HEADER = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};

    /** The memory of a connection that has not sent its protocol header, in bytes. */
    public static final int SOCKET_BYTES = ConnectionMemory.SOCKET_BYTES;

    /** The memory of a connection for TLS, in bytes. */
    public static final int TLS_BYTES = ConnectionMemory.TLS_BYTES;

    private static final int PROTOCOL_ID_AT = 4;
    private static final int SASL = 3;
    private static final long TICK_MS = 250;
    private static final long CLOSE_TIMEOUT_MS = 2_000;

    private final GatewayContext gateway;
    private final byte[] header = new byte[SASL_HEADER.length];
    private int headerBytes;
    private @Nullable ChannelHandlerContext context;
    private @Nullable OutputBuffer output;
    private @Nullable MemoryAccount account;
    private @Nullable AmqpConnection connection;
    private @Nullable Future<?> deadline;
    private @Nullable Future<?> ticks;
    private @Nullable String serverName;
    private boolean closing;

    public AmqpConnectionHandler(GatewayContext gateway) {
        this(gateway, null);
    }

    /**
     * @param serverName host name that the client requested below AMQP, if the listener knows it already
     */
    public AmqpConnectionHandler(GatewayContext gateway, @Nullable String serverName) {
        this.gateway = gateway;
        this.serverName = serverName;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        output = new OutputBuffer(added);
        if (BrokerTesting.of(gateway.broker()) != null) {
            added.pipeline().addBefore(added.name(), null, new DelayedOutput(() -> gateway.delayMs(namespace())));
        }
        if (added.channel().isActive()) {
            start(added);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext active) {
        start(active);
        active.fireChannelActive();
    }

    private void start(ChannelHandlerContext active) {
        if (deadline != null) {
            return;
        }
        if (!gateway.register(this)) {
            closing = true;
            active.close();
            return;
        }
        MemoryAccount opened = gateway.memory().open(this);
        account = opened;
        opened.hold(MemoryPurpose.STATE, socketBytes(active));
        deadline = active.executor()
                .schedule(
                        this::authenticationDeadline,
                        gateway.limits().authenticationTimeoutMs(),
                        TimeUnit.MILLISECONDS);
    }

    private static int socketBytes(ChannelHandlerContext active) {
        if (active.channel() instanceof TunnelChannel) {
            return ConnectionMemory.WEB_SOCKET_BYTES;
        }
        boolean secure = active.pipeline().get(SslHandler.class) != null;
        return ConnectionMemory.SOCKET_BYTES + (secure ? ConnectionMemory.TLS_BYTES : 0);
    }

    private void authenticationDeadline() {
        AmqpConnection open = connection;
        if (open == null) {
            close();
        } else {
            open.authenticationDeadline();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext from, Object message) {
        if (!(message instanceof ByteBuf bytes)) {
            from.fireChannelRead(message);
            return;
        }
        try {
            if (!closing) {
                read(from, bytes);
            }
        } finally {
            bytes.release();
        }
    }

    private void read(ChannelHandlerContext from, ByteBuf bytes) {
        AmqpConnection open = connection;
        if (open == null) {
            open = readHeader(from, bytes);
        }
        if (open != null && bytes.isReadable() && !closing) {
            // The only copy: messages keep slices of this array until they are stored.
            byte[] copy = new byte[bytes.readableBytes()];
            bytes.readBytes(copy);
            gateway.meter().received(copy.length);
            open.ingest(copy, monotonicMs());
        }
    }

    private @Nullable AmqpConnection readHeader(ChannelHandlerContext from, ByteBuf bytes) {
        while (bytes.isReadable() && headerBytes < header.length) {
            header[headerBytes] = bytes.readByte();
            if (!plausible(headerBytes)) {
                // The answer to an unknown protocol is the header of the supported one (AMQP 1.0 part 2, 2.2).
                closing = true;
                if (headerBytes == 0
                        && Refusals.beginsTls(header[0])
                        && from.pipeline().get(SslHandler.class) == null) {
                    gateway.refusals().tls(from);
                } else {
                    Refusals.end(from, protocolHeader());
                }
                return null;
            }
            headerBytes++;
        }
        if (headerBytes < header.length) {
            return null;
        }
        MemoryAccount own = account;
        if (own == null) {
            return null;
        }
        own.hold(MemoryPurpose.STATE, ConnectionMemory.CONNECTION_BYTES);
        AmqpConnection open = new AmqpConnection(
                gateway, this, own, header[PROTOCOL_ID_AT] == SASL, serverName, certificate(from), monotonicMs());
        connection = open;
        ticks = from.executor()
                .scheduleAtFixedRate(() -> open.tick(monotonicMs()), TICK_MS, TICK_MS, TimeUnit.MILLISECONDS);
        open.ingest(header.clone(), monotonicMs());
        return open;
    }

    @Override
    public String client() {
        ChannelHandlerContext at = context;
        SocketAddress address = at == null ? null : ClientAddress.of(at.channel());
        return address instanceof InetSocketAddress socket
                ? socket.getAddress() == null
                        ? socket.getHostString() + ":" + socket.getPort()
                        : socket.getAddress().getHostAddress() + ":" + socket.getPort()
                : "";
    }

    @Override
    public @Nullable InetAddress clientAddress() {
        ChannelHandlerContext at = context;
        SocketAddress address = at == null ? null : ClientAddress.of(at.channel());
        return address instanceof InetSocketAddress socket ? socket.getAddress() : null;
    }

    /** Returns the header that shows a client of another protocol which protocol the port serves. */
    public static ByteBuf protocolHeader() {
        return Unpooled.wrappedBuffer(SASL_HEADER.clone());
    }

    private boolean plausible(int at) {
        return header[at] == SASL_HEADER[at] || (at == PROTOCOL_ID_AT && header[at] == 0);
    }

    private long monotonicMs() {
        ChannelHandlerContext on = context;
        return on == null
                ? 0
                : TimeUnit.NANOSECONDS.toMillis(
                        io.netty.util.concurrent.Ticker.systemTicker().nanoTime());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext from) {
        AmqpConnection open = connection;
        if (open != null && !closing) {
            open.flush();
        }
        from.fireChannelReadComplete();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext from) {
        AmqpConnection open = connection;
        if (open != null) {
            open.output(pendingOutputBytes());
            if (from.channel().isWritable()) {
                open.writable();
            }
        }
        from.fireChannelWritabilityChanged();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext from, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake && handshake.isSuccess()) {
            SslHandler tls = from.pipeline().get(SslHandler.class);
            serverName = tls == null ? null : requestedName(tls.engine().getSession());
        }
        from.fireUserEventTriggered(event);
    }

    /** Returns the certificate in the client's TLS handshake, or null. */
    private static @Nullable X509Certificate certificate(ChannelHandlerContext from) {
        SslHandler tls = from.pipeline().get(SslHandler.class);
        if (tls == null || !tls.engine().getNeedClientAuth() && !tls.engine().getWantClientAuth()) {
            return null;
        }
        try {
            return tls.engine().getSession().getPeerCertificates()[0] instanceof X509Certificate shown ? shown : null;
        } catch (SSLPeerUnverifiedException none) {
            return null;
        }
    }

    /** Returns the host name in the client's TLS handshake, or null. */
    public static @Nullable String requestedName(SSLSession session) {
        if (session instanceof ExtendedSSLSession extended) {
            for (SNIServerName name : extended.getRequestedServerNames()) {
                if (name instanceof SNIHostName host) {
                    return host.getAsciiName();
                }
            }
        }
        return null;
    }

    @Override
    public void channelInactive(ChannelHandlerContext from) {
        gone();
        from.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext from) {
        gone();
    }

    private void gone() {
        closing = true;
        gateway.unregister(this);
        cancel(deadline);
        cancel(ticks);
        AmqpConnection open = connection;
        if (open != null) {
            open.end();
            connection = null;
        }
        OutputBuffer left = output;
        if (left != null) {
            left.discard();
        }
        MemoryAccount own = account;
        if (own != null) {
            own.close();
        }
    }

    /** Closes the connection because of the memory it holds. */
    @Override
    public void end(String why) {
        shutDown(why);
    }

    /** Continues work that waited for memory. */
    @Override
    public void resume() {
        ChannelHandlerContext on = context;
        if (on != null) {
            on.executor().execute(() -> {
                AmqpConnection open = connection;
                if (open != null) {
                    open.memoryMayBeFree();
                }
            });
        }
    }

    private static void cancel(@Nullable Future<?> task) {
        if (task != null) {
            task.cancel(false);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext from, Throwable cause) {
        if (cause instanceof IOException) {
            LOG.debug("Socket {} failed: {}", ClientAddress.of(from.channel()), cause.getMessage());
        } else {
            LOG.info("Connection {} is closed: {}", ClientAddress.of(from.channel()), cause.toString());
        }
        from.close();
    }

    @Override
    public void shutDown(String why) {
        ChannelHandlerContext on = context;
        if (on != null) {
            on.executor().execute(() -> {
                AmqpConnection open = connection;
                if (open == null) {
                    close();
                } else {
                    open.close(ErrorCode.CONNECTION_FORCED, why);
                }
            });
        }
    }

    @Override
    public long connectionNumber() {
        AmqpConnection open = connection;
        return open == null ? 0 : open.number();
    }

    @Override
    public @Nullable Namespace namespace() {
        AmqpConnection open = connection;
        return open == null ? null : open.namespace();
    }

    @Override
    public @Nullable ConnectedClient describe(Entity entity, EntityAddress address) {
        AmqpConnection open = connection;
        return open == null ? null : open.describe(entity, address);
    }

    @Override
    public void abort() {
        ChannelHandlerContext on = context;
        if (on != null) {
            // Not through the pipeline, because TLS would wait for the peer to read.
            on.executor()
                    .execute(() ->
                            on.channel().unsafe().close(on.channel().unsafe().voidPromise()));
        }
    }

    @Override
    public void write(ProtonBuffer bytes) {
        OutputBuffer to = output;
        if (to != null && !closing) {
            to.write(bytes);
        }
    }

    @Override
    public void write(byte[] bytes, int from, int count) {
        OutputBuffer to = output;
        if (to != null && !closing) {
            to.write(bytes, from, count);
        }
    }

    @Override
    public void flush() {
        OutputBuffer to = output;
        if (to != null && !closing) {
            gateway.meter().sent(to.flush());
        }
    }

    @Override
    public long pendingOutputBytes() {
        ChannelHandlerContext on = context;
        ChannelOutboundBuffer pending =
                on == null ? null : on.channel().unsafe().outboundBuffer();
        long bytes = pending == null ? 0 : pending.totalPendingWriteBytes();
        return on != null && on.channel() instanceof TunnelChannel tunnel ? bytes + tunnel.bytesWithFarEnd() : bytes;
    }

    @Override
    public boolean isWritable() {
        ChannelHandlerContext on = context;
        return on != null && on.channel().isWritable();
    }

    @Override
    public void reading(boolean wanted) {
        ChannelHandlerContext on = context;
        if (on != null) {
            on.channel().config().setAutoRead(wanted);
        }
    }

    @Override
    public void close() {
        ChannelHandlerContext on = context;
        if (on == null || closing) {
            return;
        }
        flush();
        closing = true;
        on.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        // A peer that reads nothing must not keep the socket open.
        on.executor().schedule(() -> on.close(), CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS);
    }

    @Override
    public GatewaySocket socket() {
        return this;
    }

    @Override
    public Executor executor() {
        ChannelHandlerContext on = context;
        if (on == null) {
            throw new IllegalStateException("Expected a handler with a channel, but it has none yet.");
        }
        return on.executor();
    }
}
