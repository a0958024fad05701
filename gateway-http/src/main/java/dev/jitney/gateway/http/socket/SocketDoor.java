package dev.jitney.gateway.http.socket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.AbstractServerChannel;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.EventLoop;
import io.netty.channel.ServerChannel;
import io.netty.util.concurrent.Future;
import io.vertx.core.net.SocketAddress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The entry for sockets that another listener has accepted. For Vert.x it is an ordinary listener, so that such sockets
 * get the same handlers, event loop and closing. Any thread may call it.
 */
/*
 * Netty adds the handlers of a channel on the event loop that the channel belongs to. The acceptor of Vert.x adds them
 * on its own loop. If the socket still belonged to its old loop, that loop would add handlers while the new loop reads.
 * The socket is therefore first registered with the acceptor's loop, and deregistered immediately.
 */
public final class SocketDoor {
    /** The address to listen on. */
    public static final SocketAddress ADDRESS = SocketAddress.domainSocketAddress("door");

    static final java.net.SocketAddress BOUND = new DoorAddress();

    private final Consumer<Channel> accepted;
    private volatile @Nullable ServerChannel listener;

    SocketDoor(Consumer<Channel> accepted) {
        this.accepted = accepted;
    }

    ServerChannel open() {
        ServerChannel opened = new Listener();
        listener = opened;
        return opened;
    }

    /**
     * Takes over a socket. Closes it if the listener is closed or the client closed the connection.
     *
     * @param socket registered with no event loop, and not read from
     * @param firstBytes bytes already read from it, released by this method
     */
    public void take(Channel socket, ByteBuf firstBytes) {
        ReplayHandler replay = new ReplayHandler(firstBytes, accepted);
        socket.closeFuture().addListener(closed -> replay.drop());
        ServerChannel to = listener;
        if (to == null || !to.isActive()) {
            close(socket);
            return;
        }
        try {
            to.eventLoop().register(socket).addListener(in -> leave(socket, to, replay, in));
        } catch (IllegalStateException cannotMove) { // the loop has ended, or has another kind
            close(socket);
        }
    }

    private static void leave(Channel socket, ServerChannel to, ReplayHandler replay, Future<?> in) {
        if (!in.isSuccess()) {
            close(socket);
            return;
        }
        socket.deregister().addListener(out -> {
            if (socket.isOpen() && to.isActive()) {
                socket.pipeline().addLast(replay);
                to.pipeline().fireChannelRead(socket);
                to.pipeline().fireChannelReadComplete();
            } else {
                close(socket);
            }
        });
    }

    /** Closes a socket that belongs to no event loop. */
    private static void close(Channel socket) {
        socket.unsafe().close(socket.unsafe().voidPromise());
    }

    /** An address without a socket. */
    private static final class DoorAddress extends java.net.SocketAddress {
        private static final long serialVersionUID = 1;

        @Override
        public String toString() {
            return "door";
        }
    }

    /** A listener without a port. */
    private static final class Listener extends AbstractServerChannel {
        private final ChannelConfig config = new Config(this);
        private volatile boolean open = true;
        private volatile boolean bound;

        @Override
        public ChannelConfig config() {
            return config;
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public boolean isActive() {
            return open && bound;
        }

        @Override
        protected boolean isCompatible(EventLoop loop) {
            return true; // it has no socket to select on
        }

        @Override
        protected java.net.@Nullable SocketAddress localAddress0() {
            return bound ? BOUND : null;
        }

        @Override
        protected void doBind(java.net.SocketAddress address) {
            bound = true;
        }

        @Override
        protected void doClose() {
            open = false;
        }

        @Override
        protected void doBeginRead() {
            // Sockets arrive through take.
        }
    }

    /** The configuration, which accepts and ignores the options of a listener with a socket. */
    private static final class Config extends DefaultChannelConfig {
        Config(Channel channel) {
            super(channel);
        }

        @Override
        public <T> boolean setOption(ChannelOption<T> option, T value) {
            super.setOption(option, value);
            return true;
        }
    }
}
