package dev.jitney.server.front;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;

/**
 * The kind of sockets and event loops: epoll if it is available. It is the same as in the gateways, because a socket can
 * move only between event loops of the same kind.
 */
public final class Transport {
    private Transport() {}

    /** Returns new event loops with daemon threads. */
    public static EventLoopGroup loops(String name, int threads) {
        return new MultiThreadIoEventLoopGroup(
                threads,
                new DefaultThreadFactory(name, true),
                Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    }

    /** Returns a new listener that is not bound. */
    public static ServerChannel listener() {
        return Epoll.isAvailable() ? new EpollServerSocketChannel() : new NioServerSocketChannel();
    }

    /** Returns the class of sockets that connect to other programs. */
    static Class<? extends Channel> socketClass() {
        return Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class;
    }
}
