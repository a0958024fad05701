package dev.jitney.gateway.http.socket;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.vertx.core.datagram.DatagramSocketOptions;
import io.vertx.core.impl.transports.EpollTransport;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.TcpConfig;
import io.vertx.core.spi.transport.Transport;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The sockets of a Vert.x instance, whose listeners tell of each socket that they accept. Vert.x itself tells of a
 * connection after the handshake of TLS, so that clients that never finish one would count nowhere. A listener on
 * {@link SocketDoor#ADDRESS} accepts nothing itself but is the {@link #door}. Any thread may call it.
 */
/*
 * A socket moves between event loops of one kind only. So the kind is chosen here as the AMQP gateway chooses it, or the
 * door would be closed: epoll where there is epoll.
 */
public final class AdmittingTransport implements io.vertx.core.transport.Transport {
    private final AtomicReference<@Nullable Consumer<Channel>> accepted = new AtomicReference<>();
    private final SocketDoor door = new SocketDoor(this::tell);
    private final Transport sockets = Epoll.isAvailable() ? new EpollTransport() : new NioTransport();

    /** Tells of accepted sockets from now on: before anything is read from them, on some thread. */
    public void onAccepted(Consumer<Channel> action) {
        accepted.set(action);
    }

    /** Where sockets come in that another listener has accepted. */
    public SocketDoor door() {
        return door;
    }

    private void tell(Channel socket) {
        Consumer<Channel> action = accepted.get();
        if (action != null) {
            action.accept(socket);
        }
    }

    @Override
    public String name() {
        return "jitney";
    }

    @Override
    public boolean available() {
        return true;
    }

    @Override
    public @Nullable Throwable unavailabilityCause() {
        return null;
    }

    @Override
    public Transport implementation() {
        return new Admitting();
    }

    private ServerChannel listener() {
        ServerChannel channel = sockets.serverChannelFactory(false).newChannel();
        channel.pipeline().addFirst(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) {
                if (message instanceof Channel socket) {
                    tell(socket);
                }
                ctx.fireChannelRead(message);
            }
        });
        return channel;
    }

    private final class Admitting implements Transport {
        @Override
        public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
            return domainSocket ? door::open : AdmittingTransport.this::listener;
        }

        @Override
        public boolean supportsDomainSockets() {
            return true;
        }

        @Override
        public java.net.SocketAddress convert(SocketAddress address) {
            return address.isDomainSocket() ? SocketDoor.BOUND : sockets.convert(address);
        }

        @Override
        public SocketAddress convert(java.net.SocketAddress address) {
            return address == SocketDoor.BOUND ? SocketDoor.ADDRESS : sockets.convert(address);
        }

        @Override
        public IoHandlerFactory ioHandlerFactory() {
            return sockets.ioHandlerFactory();
        }

        @Override
        public DatagramChannel datagramChannel(InternetProtocolFamily family) {
            return sockets.datagramChannel(family);
        }

        @Override
        public ChannelFactory<? extends DatagramChannel> datagramChannelFactory() {
            return sockets.datagramChannelFactory();
        }

        @Override
        public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
            return sockets.channelFactory(domainSocket);
        }

        @Override
        public void configure(DatagramChannel channel, DatagramSocketOptions options) {
            sockets.configure(channel, options);
        }

        @Override
        public void configure(TcpConfig config, boolean domainSocket, Bootstrap bootstrap) {
            sockets.configure(config, domainSocket, bootstrap);
        }

        @Override
        public void configure(TcpConfig config, boolean domainSocket, ServerBootstrap bootstrap) {
            sockets.configure(config, domainSocket, bootstrap);
        }
    }
}
