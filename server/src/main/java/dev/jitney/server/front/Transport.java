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
    private static final String NO_NATIVE_CODE = "io.netty.transport.noNative";

    private Transport() {}

    /**
     * Keeps Netty from loading native code, of which Java 24 and later warn. To be called before any other use of Netty in this class
     * loader. Netty reads the property once; it is restored, because the application may have another Netty.
     */
    public static void useNoNativeCode() {
        String before = System.getProperty(NO_NATIVE_CODE);
        System.setProperty(NO_NATIVE_CODE, "true");
        try {
            Epoll.isAvailable();
        } finally {
            if (before == null) {
                System.clearProperty(NO_NATIVE_CODE);
            } else {
                System.setProperty(NO_NATIVE_CODE, before);
            }
        }
    }

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
