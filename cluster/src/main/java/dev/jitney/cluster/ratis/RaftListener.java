package dev.jitney.cluster.ratis;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.apache.ratis.thirdparty.io.netty.channel.Channel;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.ratis.thirdparty.io.netty.channel.ServerChannel;
import org.apache.ratis.thirdparty.io.netty.channel.epoll.Epoll;
import org.apache.ratis.thirdparty.io.netty.channel.epoll.EpollServerSocketChannel;
import org.apache.ratis.thirdparty.io.netty.channel.socket.nio.NioServerSocketChannel;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslHandler;

/**
 * The first handler of the replication port with TLS. It bounds the connections of programs that have not shown a certificate yet
 * (CL-72): if there are too many connections, the oldest one without a certificate is closed. So a program without a
 * certificate cannot keep members from connecting. For the event loop of the listener.
 */
final class RaftListener extends ChannelInboundHandlerAdapter {
    /** Seven members have two connections from each of the others, and a few more while connections are replaced. */
    static final int CONNECTIONS_MAX = 128;

    /** The time for a handshake, milliseconds. */
    static final long HANDSHAKE_MS = 5_000;

    private final Set<Channel> open = new LinkedHashSet<>();

    private RaftListener() {}

    /** Bounds the connections of a server that uses TLS. Its event loops are of Ratis, which prefers epoll. */
    static void bound(NettyServerBuilder server) {
        server.handshakeTimeout(HANDSHAKE_MS, TimeUnit.MILLISECONDS).channelFactory(RaftListener::listener);
    }

    private static ServerChannel listener() {
        ServerChannel listener = Epoll.isAvailable() ? new EpollServerSocketChannel() : new NioServerSocketChannel();
        listener.pipeline().addLast(new RaftListener());
        return listener;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!(message instanceof Channel socket)) {
            context.fireChannelRead(message);
            return;
        }
        open.removeIf(other -> !other.isOpen());
        if (open.size() >= CONNECTIONS_MAX && !isOneClosed()) {
            socket.unsafe().closeForcibly();
            return;
        }
        open.add(socket);
        context.fireChannelRead(socket);
    }

    private boolean isOneClosed() {
        for (Iterator<Channel> oldest = open.iterator(); oldest.hasNext(); ) {
            Channel candidate = oldest.next();
            SslHandler tls = candidate.pipeline().get(SslHandler.class);
            if (tls == null || !tls.handshakeFuture().isSuccess()) {
                oldest.remove();
                candidate
                        .eventLoop()
                        .execute(() ->
                                candidate.unsafe().close(candidate.unsafe().voidPromise()));
                return true;
            }
        }
        return false;
    }
}
