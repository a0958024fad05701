package dev.jitney.server.front;

import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.ServerChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handler of a listener. It passes accepted sockets on as they are, registered with no event loop. For the event loop
 * of the listener.
 */
public final class Acceptor extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);
    private static final int BACKLOG = 1024;
    private static final long PAUSE_MS = 1_000;

    private final Consumer<Channel> accepted;

    private Acceptor(Consumer<Channel> accepted) {
        this.accepted = accepted;
    }

    /**
     * Opens a listener.
     *
     * @param loop event loop of the listener
     * @param host name or address of the interface
     * @param port its port, 0 for any free one
     * @param accepted gets every accepted socket, on the event loop
     * @throws IOException if the port cannot be bound
     */
    public static Channel bind(EventLoop loop, String host, int port, Consumer<Channel> accepted) throws IOException {
        ServerChannel listener = Transport.listener();
        listener.config().setOption(ChannelOption.SO_BACKLOG, BACKLOG);
        listener.config().setOption(ChannelOption.SO_REUSEADDR, true);
        listener.pipeline().addLast(new Acceptor(accepted));
        ChannelFuture bound = loop.register(listener).awaitUninterruptibly();
        if (bound.isSuccess()) {
            bound = listener.bind(new InetSocketAddress(host, port)).awaitUninterruptibly();
        }
        if (!bound.isSuccess()) {
            listener.close();
            Throwable cause = bound.cause();
            throw new IOException("Cannot listen on " + host + ":" + port + ": " + cause.getMessage(), cause);
        }
        return listener;
    }

    /** Returns the port that a listener is bound to. */
    public static int port(Channel listener) {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof Channel socket) {
            accepted.accept(socket);
        } else {
            context.fireChannelRead(message);
        }
    }

    /** Pauses, because a failure to accept, such as a lack of file descriptors, repeats at once. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.warn(
                "Failed to accept a connection on {}; the next attempt is in {} s: {}",
                context.channel().localAddress(),
                TimeUnit.MILLISECONDS.toSeconds(PAUSE_MS),
                cause.toString());
        ChannelConfig config = context.channel().config();
        config.setAutoRead(false);
        context.executor().schedule(() -> config.setAutoRead(true), PAUSE_MS, TimeUnit.MILLISECONDS);
    }
}
