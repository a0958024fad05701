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
 * The way in for sockets that another listener has accepted. To Vert.x it is a listener like any other, so that such
 * sockets get the same handlers, event loop and end. Any thread may call it.
 */
/*
 * Netty gives a channel its handlers on the event loop it belongs to, and the acceptor of Vert.x gives them on its own. A
 * socket that still belongs to the loop it has left would get them there, while the new loop reads from it. So it first
 * becomes one of the acceptor's loop, and leaves that at once.
 */
public final class SocketDoor {
    /** What to listen on. */
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
     * Takes a socket over. If that cannot be, because the listener is closed or the client has gone, the socket is closed.
     *
     * @param socket registered with no event loop, and not read from
     * @param firstBytes what has been read from it, which is released here
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
        } catch (IllegalStateException cannotMove) { // the loop has ended, or is of another kind
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

    /** A listener that nobody can connect to. */
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
            return true; // there is nothing to select on
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
            // Sockets come when they come.
        }
    }

    /** Takes the options of a listener with a socket, which say nothing here. */
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
