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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The sockets of a Vert.x instance, with a callback for each accepted socket. Vert.x itself reports a connection only
 * after the TLS handshake, so that it would not count clients that never finish the handshake. A listener on {@link
 * SocketDoor#ADDRESS} opens no port but is the {@link #door}. Any thread may call it.
 */
/*
 * A socket can move only between event loops of the same kind. The kind is therefore the same as in the AMQP gateway:
 * epoll if it is available. Otherwise, the door would not work.
 */
public final class AdmittingTransport implements io.vertx.core.transport.Transport {
    private final AtomicReference<@Nullable Consumer<Channel>> accepted = new AtomicReference<>();
    private final AtomicReference<@Nullable Predicate<Channel>> admitted = new AtomicReference<>();
    private final SocketDoor door = new SocketDoor(this::tell);
    private final Transport sockets = Epoll.isAvailable() ? new EpollTransport() : new NioTransport();

    /** Sets the callback for accepted sockets. It runs before anything is read from a socket, on any thread. */
    public void onAccepted(Consumer<Channel> action) {
        accepted.set(action);
    }

    /**
     * Sets the rule that admits sockets of own listeners. A socket that is not admitted is closed at once. The rule runs on any
     * thread.
     */
    public void onlyIf(Predicate<Channel> rule) {
        admitted.set(rule);
    }

    private boolean isAdmitted(Channel socket) {
        Predicate<Channel> rule = admitted.get();
        return rule == null || rule.test(socket);
    }

    /** Returns the entry for sockets that another listener has accepted. */
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
                    if (!isAdmitted(socket)) {
                        socket.unsafe().closeForcibly(); // it belongs to no event loop yet
                        return;
                    }
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
